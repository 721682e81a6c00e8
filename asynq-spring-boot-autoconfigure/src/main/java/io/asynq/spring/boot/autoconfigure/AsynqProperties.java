package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.asynq.CancelMode;
import io.asynq.ClientOptions;
import io.asynq.InvalidTaskException;
import io.asynq.TaskOptions;
import io.asynq.annotation.HandlerMatching;
import io.asynq.context.ContextPropagator;
import io.asynq.context.ContextPropagators;
import io.asynq.group.GroupLimits;
import io.asynq.handler.RetrySettings;
import io.asynq.handler.TaskMux;
import io.asynq.internal.text.GoText;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.limit.LimitKey;
import io.asynq.limit.LimitRate;
import io.asynq.limit.TaskLimit;
import io.asynq.metrics.QueueMetricsOptions;
import io.asynq.operations.preflight.PreflightMode;
import io.asynq.schedule.MissedFirePolicy;
import io.asynq.schedule.SchedulerOptions;
import io.asynq.server.FailureLogging;
import io.asynq.server.QueueSpec;
import io.asynq.server.ServerOptions;
import io.asynq.server.UnknownTypes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/**
 * Settings of client, server, scheduler, JSON and metrics. The scheduler's entries, a map
 * or a list, are read by {@link SchedulerEntries}.
 *
 * @param server settings of the server
 * @param limits Limits over all Java servers by name, to which handlers and queues refer.
 * @param client settings of the client
 * @param metrics settings of the metrics
 * @param scheduler settings of the scheduler
 * @param context settings of the context that travels with tasks
 * @param json settings of the JSON in payloads
 */
@ConfigurationProperties("asynq")
@RegisterReflectionForBinding({ AsynqProperties.TaskDefaults.class, SchedulerEntries.Settings.class })
@RegisterReflection(
		classes = { AsynqProperties.Server.class, AsynqProperties.Client.class, AsynqProperties.Scheduler.class,
				AsynqProperties.TaskDefaults.class, SchedulerEntries.Settings.class, ServerOptions.Builder.class,
				ClientOptions.Builder.class, SchedulerOptions.Builder.class, TaskOptions.Builder.class },
		memberCategories = MemberCategory.INVOKE_DECLARED_METHODS)
record AsynqProperties(@DefaultValue Server server, @DefaultValue Map<String, Limit> limits,
		@DefaultValue Client client, @DefaultValue Metrics metrics, @DefaultValue Scheduler scheduler,
		@DefaultValue Context context, @DefaultValue Json json) {

	private static final Logger logger = OneLineLogger.of(AsynqProperties.class);

	ServerOptions serverOptions(Environment environment, BeanFactory beans,
			Iterable<AsynqServerCustomizer> customizers) {
		ServerOptions.Builder options = ServerOptions.builder();
		this.limits.forEach((name, limit) -> InvalidAsynqPropertyException.check(Limit.PREFIX + name, name,
				() -> options.limit(name, limit.limit(name, beans))));
		return this.server.options(options, environment, customizers);
	}

	/**
	 * Settings of the server.
	 *
	 * @param enabled Whether this application processes tasks. If not, it can still
	 * enqueue them.
	 * @param autoStartup Whether the server starts with the application.
	 * @param concurrency Number of tasks processed at the same time. Defaults to the
	 * number of CPUs.
	 * @param queues Queues to serve: a map of weights or settings by name, or a list of
	 * settings with names. Names with characters other than letters, digits, dashes and
	 * underscores need brackets, as in '[User:42]'.
	 * @param strictPriority Whether tasks are taken from a queue only when all queues
	 * with a greater weight are empty.
	 * @param taskCheckInterval Interval at which an idle server polls for pending tasks
	 * when Redis does not notify it of arrivals.
	 * @param delayedTaskCheckInterval Longest interval between two checks for scheduled
	 * and retry tasks that are due.
	 * @param shutdownTimeout Time that running tasks have to finish at shutdown before
	 * they go back to their queue. Keep it below
	 * spring.lifecycle.timeout-per-shutdown-phase.
	 * @param heartbeatInterval Interval at which leases and the server's entry are
	 * renewed. At most a third of the lease duration.
	 * @param leaseDuration Time from the last renewal of a lease to its end, in whole
	 * seconds, at least three. Servers of the same queues should have the same; Go
	 * servers have 30 seconds.
	 * @param recoverInterval Interval between two checks for tasks whose server is gone.
	 * @param recoverGrace Time from the end of a lease until its task counts as lost
	 * although a live server lists it.
	 * @param maxCrashes Number of crashes of servers after which a task is archived, not
	 * counting the first one, which only makes it a suspect; 0 for no limit.
	 * @param janitorInterval Interval between two deletions of completed tasks whose
	 * retention is over.
	 * @param janitorBatchSize Number of completed tasks deleted in one step.
	 * @param healthCheckInterval Interval between two health checks for
	 * HealthCheckListener beans.
	 * @param stuckHandlerTimeout Time from the end of an attempt until a handler that
	 * still runs is reported as stuck, and until the outcome is written although an error
	 * handler or policy still runs.
	 * @param logFailures Which failed attempts at a task are logged as a WARN with their
	 * stack trace.
	 * @param unknownTypes What becomes of a task for whose type the server has no
	 * handler: it waits until a server has one, it is retried as in Go, or it is archived
	 * at once.
	 * @param unknownTypesMaxAge Time after which a task that waits for a handler is
	 * archived.
	 * @param cancel What becomes of a running task that is cancelled by its id, as Go's
	 * tools do: it is retried, archived or deleted.
	 * @param publishEvents Whether what happens to tasks is published as events of the
	 * application, for EventListener methods.
	 * @param groupGracePeriod Time from the newest task of a group until the group is
	 * aggregated. At least one second.
	 * @param groupMaxDelay Longest time from the oldest task of a group until the group
	 * is aggregated; 0 for no limit.
	 * @param groupMaxSize Number of tasks at which a group is aggregated, and most tasks
	 * of one aggregation; 0 for no limit.
	 * @param wakeUp Whether Redis tells the server of new tasks, which takes two
	 * connections over Jedis, one over Lettuce; on a cluster for each master of its
	 * queues.
	 * @param fetchAhead Whether a server of short handlers takes tasks from long queues
	 * before a worker is idle; by default unless priorities are strict.
	 * @param handleTstp Whether the signal SIGTSTP makes the server stop taking tasks.
	 * @param handlerMatching How the types of TaskHandler methods match: exactly, except
	 * for types that end in a colon or an asterisk, or always as prefixes, as in Go.
	 * @param retry How failed tasks are retried, by task type or prefix, overriding what
	 * their handler says. Types with a colon, a dot or an asterisk need brackets, as in
	 * '[email:send]'.
	 * @param preflight What happens at the start when Redis is set up so that tasks get
	 * lost or late: the start fails, each finding is a warning, or nothing is checked.
	 */
	record Server(@DefaultValue("true") boolean enabled, @DefaultValue("true") boolean autoStartup,
			@Nullable Integer concurrency, @DefaultValue Map<String, Queue> queues,
			@DefaultValue("false") boolean strictPriority, @DefaultValue("1s") Duration taskCheckInterval,
			@DefaultValue("5s") Duration delayedTaskCheckInterval, @DefaultValue("8s") Duration shutdownTimeout,
			@DefaultValue("5s") Duration heartbeatInterval, @DefaultValue("30s") Duration leaseDuration,
			@DefaultValue("5s") Duration recoverInterval, @DefaultValue("30s") Duration recoverGrace,
			@DefaultValue("3") int maxCrashes, @DefaultValue("8s") Duration janitorInterval,
			@DefaultValue("100") int janitorBatchSize, @DefaultValue("15s") Duration healthCheckInterval,
			@DefaultValue("10s") Duration stuckHandlerTimeout,
			@DefaultValue("first-and-last") FailureLogging logFailures, @DefaultValue("wait") UnknownTypes unknownTypes,
			@DefaultValue("7d") Duration unknownTypesMaxAge, @DefaultValue("retry") CancelMode cancel,
			@DefaultValue("false") boolean publishEvents, @DefaultValue("1m") Duration groupGracePeriod,
			@DefaultValue("0s") Duration groupMaxDelay, @DefaultValue("0") int groupMaxSize,
			@DefaultValue("true") boolean wakeUp, @Nullable Boolean fetchAhead,
			@DefaultValue("true") boolean handleTstp, @DefaultValue("exact") HandlerMatching handlerMatching,
			@DefaultValue Map<String, Retry> retry, @DefaultValue("warn") PreflightMode preflight) {

		private static final String PREFIX = "asynq.server.";

		private static final String QUEUES = PREFIX + "queues";

		private static final String RESTARTER = "org.springframework.boot.devtools.restart.Restarter";

		private ServerOptions options(ServerOptions.Builder options, Environment environment,
				Iterable<AsynqServerCustomizer> customizers) {
			if (this.strictPriority && Boolean.TRUE.equals(this.fetchAhead)) {
				throw new InvalidAsynqPropertyException(PREFIX + "fetch-ahead", true,
						"'" + PREFIX
								+ "strict-priority' is true as well, but a task that was fetched ahead could run before"
								+ " one of a heavier queue. Remove one of the two.");
			}
			BoundOptions.apply(PREFIX, this, options);
			// Under DevTools the signal suspends the program at the developer's terminal
			options.handleTstp(this.handleTstp && !ClassUtils.isPresent(RESTARTER, null))
				.cancelMode(this.cancel)
				.virtualThreads(Threading.VIRTUAL.isActive(environment));
			GroupLimits groups = Queue.groupLimits(PREFIX, GroupLimits.defaults(), this.groupGracePeriod,
					this.groupMaxDelay, this.groupMaxSize);
			options.groupLimits(groups);
			queueSpecs(groups).forEach(
					(name, spec) -> InvalidAsynqPropertyException.check(QUEUES, name, () -> options.queue(name, spec)));
			customizers.forEach((customizer) -> customizer.customize(options));
			ServerOptions built = InvalidAsynqPropertyException.check(QUEUES, this.queues.keySet(), options::build);
			return InvalidAsynqPropertyException.check(PREFIX + "lease-duration", this.leaseDuration, () -> {
				built.requireLease(this.leaseDuration);
				return built;
			});
		}

		void applyRetry(TaskMux handlers) {
			this.retry.forEach((type, retry) -> handlers.retry(this.handlerMatching.pattern(type),
					InvalidAsynqPropertyException.check(PREFIX + "retry.[" + type + "]", retry, retry::settings)));
		}

		/** A map by name, or a list, which is bound as a map by its indexes. */
		private Map<String, QueueSpec> queueSpecs(GroupLimits groups) {
			boolean list = isList();
			Map<String, QueueSpec> specs = new LinkedHashMap<>();
			this.queues.forEach((key, queue) -> {
				String property = QUEUES + (list ? "[" + key + "]" : "." + key);
				String name = list ? queue.listed(key, property + ".name") : key;
				QueueSpec spec = queue.spec(groups, property, list ? property + ".weight" : property);
				if (specs.put(name, spec) != null) {
					throw new InvalidAsynqPropertyException(property + ".name", name, "The queue is listed twice.");
				}
				if (!list && queue.weight() == null && queue.limit().isEmpty()
						&& !name.equals(TaskOptions.DEFAULT_QUEUE)) {
					logger.warn(
							"Queue {} has group settings, but no weight: it is worked on with weight 1. Set '{}.weight'"
									+ " if that is meant, else correct the queue's name there",
							name, property);
				}
			});
			return specs;
		}

		/** An element of a list that lacks its name is not a queue named by its index. */
		private boolean isList() {
			return this.queues.values().stream().anyMatch((queue) -> queue.name() != null)
					|| (!this.queues.isEmpty() && IntStream.range(0, this.queues.size())
						.mapToObj(String::valueOf)
						.allMatch(this.queues::containsKey));
		}

	}

	/**
	 * How failed tasks of one type are retried.
	 *
	 * @param delay Time that a task waits after its first failure.
	 * @param jitter Time by which each delay is made longer or shorter at most, at
	 * random.
	 * @param multiplier Factor by which each delay is multiplied for the next one. At
	 * least 1.
	 * @param maxDelay Longest delay.
	 * @param includes Only exceptions that are retried, subclasses and causes included.
	 * @param excludes Exceptions that archive the task at once, subclasses and causes
	 * included.
	 */
	record Retry(@Nullable Duration delay, @Nullable Duration jitter, @Nullable Double multiplier,
			@Nullable Duration maxDelay, @DefaultValue List<Class<? extends Throwable>> includes,
			@DefaultValue List<Class<? extends Throwable>> excludes) {

		private RetrySettings settings() {
			return RetrySettings.builder()
				.delay(this.delay)
				.jitter(this.jitter)
				.multiplier(this.multiplier)
				.maxDelay(this.maxDelay)
				.includes(this.includes)
				.excludes(this.excludes)
				.build();
		}

	}

	/**
	 * Settings of one queue. Settings that are missing are those for all queues.
	 *
	 * @param name Name of the queue, in a list.
	 * @param weight Share of the work, or rank if priority is strict. At least 1, which
	 * is the default.
	 * @param groupGracePeriod Time from the newest task of a group until the group is
	 * aggregated.
	 * @param groupMaxDelay Longest time from the oldest task of a group until the group
	 * is aggregated; 0 for no limit.
	 * @param groupMaxSize Number of tasks at which a group is aggregated; 0 for no limit.
	 * @param limit Names of limits over all servers that apply to all tasks of the queue.
	 */
	record Queue(@Nullable String name, @Nullable Integer weight, @Nullable Duration groupGracePeriod,
			@Nullable Duration groupMaxDelay, @Nullable Integer groupMaxSize, @DefaultValue List<String> limit) {

		/** The short form in YAML is a number. */
		public static Queue of(Integer weight) {
			return new Queue(null, weight, null, null, null, List.of());
		}

		/** The short form elsewhere is text. */
		public static Queue of(String weight) {
			return of(Integer.valueOf(weight.strip()));
		}

		private String listed(String key, String property) {
			if (!key.matches("\\d+")) {
				throw new InvalidAsynqPropertyException(Server.QUEUES + "." + key, this, "'" + Server.QUEUES
						+ "' is set as a list elsewhere: use either a list of names and settings or a map, not both.");
			}
			if (this.name == null || GoText.isBlank(this.name)) {
				throw new InvalidAsynqPropertyException(property, this.name,
						"Queue names must not be blank: each element of a list needs one, also for a queue named by a number.");
			}
			return this.name;
		}

		private QueueSpec spec(GroupLimits all, String property, String weightProperty) {
			GroupLimits own = groupLimits(property + ".", all, this.groupGracePeriod, this.groupMaxDelay,
					this.groupMaxSize);
			return InvalidAsynqPropertyException.check(weightProperty, this.weight,
					() -> new QueueSpec((this.weight != null) ? this.weight : 1, (own != all) ? own : null,
							this.limit));
		}

		private static GroupLimits groupLimits(String prefix, GroupLimits limits, @Nullable Duration gracePeriod,
				@Nullable Duration maxDelay, @Nullable Integer maxSize) {
			GroupLimits changed = change(prefix + "group-grace-period", gracePeriod, limits, limits::withGracePeriod);
			changed = change(prefix + "group-max-delay", maxDelay, changed, changed::withMaxDelay);
			return change(prefix + "group-max-size", maxSize, changed, changed::withMaxSize);
		}

		private static <T> GroupLimits change(String property, @Nullable T value, GroupLimits limits,
				Function<T, GroupLimits> change) {
			return (value != null) ? InvalidAsynqPropertyException.check(property, value, () -> change.apply(value))
					: limits;
		}

	}

	/**
	 * A limit over all Java servers.
	 *
	 * @param concurrent Number of tasks that may run at the same time.
	 * @param rate Number of tasks that may start in some time, such as '10/s', '100/m' or
	 * '5/10s'.
	 * @param burst Number of tasks that may start at once after a pause. Defaults to what
	 * comes in a second, which is also the least.
	 * @param key Where a task has its key, each of which has its own tokens: 'header:'
	 * and the name of a header, or the name of a LimitKey bean.
	 */
	record Limit(@Nullable Integer concurrent, @Nullable String rate, @Nullable Integer burst, @Nullable String key) {

		private static final String PREFIX = "asynq.limits.";

		private static final String HEADER = "header:";

		private TaskLimit limit(String name, BeanFactory beans) {
			String prefix = PREFIX + name + ".";
			if (this.concurrent != null && this.concurrent < 1) {
				throw new InvalidAsynqPropertyException(prefix + "concurrent", this.concurrent,
						"At least 1 task must be allowed to run; to hold tasks back, pause their queue.");
			}
			if (this.rate == null && this.burst != null) {
				throw new InvalidAsynqPropertyException(prefix + "burst", this.burst,
						"It has no meaning without '" + prefix + "rate'.");
			}
			if (this.rate == null && this.concurrent == null) {
				throw new InvalidAsynqPropertyException(prefix + "concurrent", null,
						"A limit needs '" + prefix + "concurrent', '" + prefix + "rate', or both.");
			}
			return new TaskLimit((this.concurrent != null) ? this.concurrent : 0,
					(this.rate != null) ? rate(prefix, this.rate) : null, key(prefix + "key", beans));
		}

		private LimitRate rate(String prefix, String text) {
			LimitRate rate = InvalidAsynqPropertyException.check(prefix + "rate", text, () -> LimitRate.parse(text));
			Integer burst = this.burst;
			return (burst == null) ? rate
					: InvalidAsynqPropertyException.check(prefix + "burst", burst, () -> rate.withBurst(burst));
		}

		private @Nullable LimitKey key(String property, BeanFactory beans) {
			String key = this.key;
			if (key == null || key.isBlank()) {
				return null;
			}
			if (key.startsWith(HEADER) && key.length() > HEADER.length()) {
				return LimitKey.header(key.substring(HEADER.length()));
			}
			try {
				return beans.getBean(key, LimitKey.class);
			}
			catch (BeansException ex) {
				throw new InvalidAsynqPropertyException(property, key,
						"It must be 'header:' and the name of a header, or the name of a LimitKey bean: "
								+ ex.getMessage());
			}
		}

	}

	/**
	 * Settings of the client.
	 *
	 * @param maxPayloadSize Largest size of a task's payload and headers.
	 * @param callTimeout Longest time that a call to Redis takes in all, from the first
	 * wait for a connection to the answer. Never shorter than the time-out of a command;
	 * enqueueAll has it for each chunk of 256 tasks.
	 * @param shareCalls Whether tasks that several threads enqueue at the same time go to
	 * Redis in one call.
	 * @param afterCommit Whether tasks that are enqueued in a transaction are sent after
	 * its commit.
	 * @param tasks Default options by task type. Types with a colon or a dot need
	 * brackets, as in '[email:send]'.
	 */
	record Client(@DefaultValue("1MB") DataSize maxPayloadSize, @DefaultValue("3s") Duration callTimeout,
			@DefaultValue("true") boolean shareCalls, @DefaultValue("false") boolean afterCommit,
			@DefaultValue Map<String, TaskDefaults> tasks) {

		void applyTo(ClientOptions.Builder options) {
			BoundOptions.apply("asynq.client.", this, options);
			InvalidAsynqPropertyException.check("asynq.client.max-payload-size", this.maxPayloadSize,
					() -> options.maxPayloadSize(this.maxPayloadSize.toBytes()));
			this.tasks.forEach((type, defaults) -> options.defaults(type, taskOptions(type, defaults)));
		}

		private static TaskOptions taskOptions(String type, TaskDefaults defaults) {
			String property = "asynq.client.tasks.[" + type + "]";
			try {
				return TaskOptions.of((options) -> BoundOptions.apply(property + ".", defaults, options));
			}
			catch (InvalidTaskException ex) {
				throw new InvalidAsynqPropertyException(property, defaults, ex.getMessage() + ".");
			}
		}

		Duration checkedCallTimeout() {
			if (this.callTimeout.isNegative() || this.callTimeout.isZero()) {
				throw new InvalidAsynqPropertyException("asynq.client.call-timeout", this.callTimeout,
						"It must be longer than zero.");
			}
			return this.callTimeout;
		}

	}

	/**
	 * Options of the tasks of one type.
	 *
	 * @param queue Queue that takes the tasks.
	 * @param maxRetry Number of retries after a failure.
	 * @param timeout Time that one attempt may last.
	 * @param retention Time for which a completed task is kept.
	 * @param unique Time for which a second task with the same payload is refused.
	 */
	record TaskDefaults(@Nullable String queue, @Nullable Integer maxRetry, @Nullable Duration timeout,
			@Nullable Duration retention, @Nullable Duration unique) {
	}

	/**
	 * Settings of the metrics.
	 *
	 * @param queues settings of the queues' metrics
	 */
	record Metrics(@DefaultValue Queues queues) {

		/**
		 * Settings of the queues' metrics.
		 *
		 * @param enabled Whether the state of all queues is published as metrics. All
		 * applications on the same Redis publish the same values.
		 * @param interval Interval at which queues are read, while a registry reads the
		 * meters.
		 * @param maxAge Age at which values are unknown because queues could not be read
		 * again.
		 * @param names Comma-separated list of the queues that have metrics, all if
		 * empty. An asterisk stands for any characters.
		 * @param maxQueues Number of queues that have metrics at most.
		 * @param memoryUsage Whether the memory of each queue is estimated, at most once
		 * a minute.
		 */
		record Queues(@DefaultValue("true") boolean enabled, @DefaultValue("10s") Duration interval,
				@DefaultValue("1m") Duration maxAge, @DefaultValue List<String> names,
				@DefaultValue("500") int maxQueues, @DefaultValue("true") boolean memoryUsage) {

			private static final String PREFIX = "asynq.metrics.queues.";

			QueueMetricsOptions options() {
				require(this.interval.compareTo(Duration.ZERO) > 0, "interval", this.interval, "It must be positive.");
				require(this.maxAge.compareTo(this.interval) >= 0, "max-age", this.maxAge,
						"It must not be shorter than " + PREFIX + "interval.");
				require(this.maxQueues > 0, "max-queues", this.maxQueues,
						"It must be at least 1; " + PREFIX + "enabled=false publishes no queues.");
				return new QueueMetricsOptions(this.interval, this.maxAge, this.names, this.maxQueues,
						this.memoryUsage);
			}

			private static void require(boolean valid, String name, Object value, String reason) {
				if (!valid) {
					throw new InvalidAsynqPropertyException(PREFIX + name, value, reason);
				}
			}

		}

	}

	/**
	 * Settings of the context that travels with tasks.
	 *
	 * @param headers Comma-separated list of MDC entries that tasks carry, in headers of
	 * the same names, from the caller of enqueue to their handlers.
	 */
	record Context(@DefaultValue List<String> headers) {

		/** The application's propagators come after that of the property. */
		ContextPropagators propagators(Stream<ContextPropagator> beans) {
			return InvalidAsynqPropertyException.check("asynq.context.headers", this.headers, () -> ContextPropagators
				.of(Stream
					.concat(this.headers.isEmpty() ? Stream.empty() : Stream.of(ContextPropagator.mdc(this.headers)),
							beans)
					.toList()));
		}

	}

	/**
	 * Settings of the scheduler.
	 *
	 * @param enabled Whether this application enqueues periodic tasks.
	 * @param clusterSafe Whether each fire is enqueued once, even if several applications
	 * have the same entry. If not, each of them enqueues it, as in Go.
	 * @param zone Time zone of entries that have none.
	 * @param heartbeatInterval Interval at which the entries are written for tools.
	 * @param syncInterval Interval at which PeriodicTaskProvider beans are asked.
	 * @param missedFires Policy for fires that were missed because no scheduler ran, for
	 * entries without their own.
	 */
	record Scheduler(@DefaultValue("true") boolean enabled, @DefaultValue("true") boolean clusterSafe,
			@DefaultValue("UTC") String zone, @DefaultValue("10s") Duration heartbeatInterval,
			@DefaultValue("3m") Duration syncInterval, @DefaultValue("skip") MissedFirePolicy missedFires) {

		private static final String PREFIX = "asynq.scheduler.";

		SchedulerOptions options(Clock clock) {
			SchedulerOptions.Builder options = SchedulerOptions.builder().clock(clock).zone(zoneId());
			BoundOptions.apply(PREFIX, this, options);
			return InvalidAsynqPropertyException.check(PREFIX + "missed-fires", this.missedFires, options::build);
		}

		private ZoneId zoneId() {
			try {
				return ZoneId.of(this.zone);
			}
			catch (DateTimeException ex) {
				throw new InvalidAsynqPropertyException(PREFIX + "zone", this.zone,
						"There is no such time zone; name one like Europe/Berlin or UTC.");
			}
		}

	}

	/**
	 * Settings of the JSON in payloads and results.
	 *
	 * @param useApplicationMapper Whether the application's JsonMapper reads and writes
	 * payloads instead of one of the queue's own.
	 * @param durations Form in which durations are written: texts of ISO 8601, or whole
	 * nanoseconds as in Go, with which texts are still read.
	 * @param caseInsensitiveNames Whether names of fields are read in upper or lower
	 * case, as Go does.
	 */
	record Json(@DefaultValue("false") boolean useApplicationMapper, @DefaultValue("iso8601") DurationForm durations,
			@DefaultValue("false") boolean caseInsensitiveNames) {

		/** How durations are written. */
		enum DurationForm {

			/** Such as "PT1M30S". */
			ISO8601,

			/** Such as 90000000000. */
			NANOSECONDS

		}

	}

}
