package io.asynq.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.Task;
import io.asynq.event.ArchiveReason;
import io.asynq.event.TaskOutcome;
import io.asynq.event.TaskEvent;
import io.asynq.handler.RejectedTasksException;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.handler.TaskAggregators;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.TaskMessageFactory;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.event.TaskObservation;
import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.group.GroupStore.AggregationStatus;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.CrashRecord;
import io.asynq.internal.worker.ErrorTexts;
import io.asynq.internal.worker.PendingObservation;
import io.asynq.internal.worker.ServerCounters;
import io.asynq.internal.worker.UserThread;
import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Turns one group into a task; if anything fails, its tasks go back to the group at once
 * and the group backs off.
 */
public final class GroupAggregation {

	private static final Logger logger = OneLineLogger.of(GroupAggregation.class);

	private final GroupStore store;

	private final TaskAggregators aggregators;

	private final ServerOptions options;

	private final AggregatedTaskFactory tasks;

	private final ServerCounters counters;

	private final TaskObservations observations;

	private final TaskEvents events;

	/** Thousands of groups fail at once when Redis is away. */
	private final LoopErrorLog redisFailures = new LoopErrorLog();

	private final GroupBackOff backOff = new GroupBackOff(System::nanoTime);

	private final Set<AggregatorCall> underWay = ConcurrentHashMap.newKeySet();

	private volatile boolean ended;

	public GroupAggregation(GroupStore store, TaskAggregators aggregators, ServerOptions options,
			ServerCounters counters, TaskObservations observations, TaskEvents events, TaskMessageFactory messages) {
		this.store = store;
		this.aggregators = aggregators;
		this.options = options;
		this.counters = counters;
		this.observations = observations;
		this.events = events;
		this.tasks = new AggregatedTaskFactory(messages);
	}

	boolean mayRun(GroupName group) {
		return this.backOff.allows(group) && this.aggregators.find(group.queue(), group.group()) != null;
	}

	Duration untilRetry() {
		return this.backOff.untilNext();
	}

	/**
	 * Aggregates a due group even if it backs off; returns whether to look again at once.
	 */
	public boolean run(String queue, String group) {
		return run(new GroupName(queue, group));
	}

	boolean run(GroupName group) {
		TaskAggregatorFunction aggregator = this.aggregators.find(group.queue(), group.group());
		StagedGroup staged = (aggregator != null)
				? this.store.stage(group.queue(), group.group(), this.options.groupLimits(group.queue())) : null;
		if (staged == null) {
			return false;
		}
		AggregatorCall call = new AggregatorCall(staged, aggregator);
		this.underWay.add(call);
		if (this.ended) {
			call.giveUp();
		}
		try {
			CrashRecord record = this.store.begin(staged);
			int most = this.options.maxCrashes();
			return (most > 0 && record.crashes() > most) ? setAside(call, record) : aggregate(call);
		}
		catch (Throwable ex) {
			failed(call, ex);
			UserCode.rethrowIfFatal(ex);
			return false;
		}
		finally {
			noteEnd(call);
			this.underWay.remove(call);
		}
	}

	/** Another server may take these tasks at any moment, so results would be refused. */
	@Nullable Long giveUpOverdue(long nanoTime, Consumer<AggregatorCall> givenUp) {
		Long next = null;
		for (AggregatorCall call : this.underWay) {
			long end = call.staged().endNanos();
			if (end - nanoTime > 0) {
				next = (next == null || end - next < 0) ? (Long) end : next;
			}
			else if (!call.isGivenUp() && giveUpOverdue(call)) {
				givenUp.accept(call);
			}
		}
		return next;
	}

	void goOn() {
		this.ended = false;
	}

	/**
	 * They do not return before the server has stopped; counts as a crash of their
	 * groups.
	 */
	List<AggregatorCall> giveUpCulprits() {
		List<AggregatorCall> culprits = new ArrayList<>();
		for (AggregatorCall call : this.underWay) {
			if (UserThread.isInStop(call.thread()) && call.giveUpCulprit()) {
				logger.warn("The aggregator {} of {} has stopped its own server, which counts as a crash",
						call.aggregator(), call.group());
				culprits.add(call);
			}
		}
		return culprits;
	}

	/** Includes calls for groups that are just being staged. */
	List<AggregatorCall> giveUpAll() {
		this.ended = true;
		List<AggregatorCall> givenUp = new ArrayList<>();
		for (AggregatorCall call : this.underWay) {
			if (call.giveUp()) {
				logger.warn(
						"The aggregator {} of {} did not end within 'asynq.server.shutdown-timeout': it is"
								+ " interrupted, and its {} tasks go back to the group",
						call.aggregator(), call.group(), call.staged().size());
				givenUp.add(call);
			}
		}
		return givenUp;
	}

	void giveUpTasks(AggregatorCall call) {
		noteEnd(call);
		giveBack(call);
	}

	void giveBack(AggregatorCall call) {
		try {
			this.store.giveBack(call.staged());
		}
		catch (BrokerException ex) {
			logger.warn("The tasks of {} go back to it only after {}, when their set expires: {}", call.group(),
					call.staged().expiresAt(), ex.getMessage());
		}
	}

	private boolean aggregate(AggregatorCall call) throws Throwable {
		GroupMembers members = GroupMembers.of(this.store.read(call.staged()));
		PendingObservation observation = new PendingObservation();
		observation.begin(observe(call.group(), members));
		try (TaskObservation.Scope scope = observation.get().open()) {
			return aggregate(call, members, observation);
		}
		catch (Throwable ex) {
			observation.decided(TaskOutcome.RETRIED, ErrorTexts.quoteFree(ex));
			throw ex;
		}
		finally {
			// Else it was given up
			observation.decided(call.isOverdue() ? TaskOutcome.DEADLINE : TaskOutcome.REQUEUED, null);
			observation.end();
		}
	}

	private boolean aggregate(AggregatorCall call, GroupMembers all, PendingObservation observation) throws Throwable {
		StagedGroup staged = call.staged();
		GroupMembers members = all;
		while (!members.isEmpty() && call.begin()) {
			EnqueueRequest request = null;
			Throwable error = null;
			try {
				// Interceptors are user code, too
				request = request(call, members, observation);
			}
			catch (Throwable ex) {
				error = ex;
			}
			if (!call.end()) {
				dropLateReturn(call, error);
				return false;
			}
			if (error == null) {
				store(call, members, request, observation);
				return hasMore(staged);
			}
			members = withoutRejected(call, members, error);
		}
		if (members.isEmpty()) {
			observation.decided(TaskOutcome.ARCHIVED, null);
		}
		this.store.giveBack(staged);
		return !call.isGivenUp() && hasMore(staged);
	}

	private boolean setAside(AggregatorCall call, CrashRecord record) {
		StagedGroup staged = call.staged();
		String reason = "asynq: the aggregator of the task's group took down " + record.crashes()
				+ " servers (asynq.server.max-crashes): " + String.join(", ", record.deaths());
		List<TaskMessage> members = this.store.read(staged);
		this.store.archive(staged, members, reason);
		this.counters.archived.add(members.size());
		this.counters.poisoned.add(members.size());
		call.settle();
		this.store.giveBack(staged);
		logger.warn("Archived {} tasks of {}: {}", members.size(), call.group(), reason);
		tellArchived(members, reason, null, ArchiveReason.CRASHES);
		return hasMore(staged);
	}

	private boolean hasMore(StagedGroup staged) {
		return staged.size() == this.options.groupLimits(staged.queue()).maxSize();
	}

	private EnqueueRequest request(AggregatorCall call, GroupMembers members, PendingObservation observation)
			throws Exception {
		StagedGroup staged = call.staged();
		Task task = call.aggregator().aggregate(staged.queue(), staged.group(), members.tasks());
		if (task == null) {
			throw new AsynqException("The aggregator " + call.aggregator()
					+ " returned null: it must return a task, or throw what went wrong");
		}
		observation.get().type(task.type());
		return this.tasks.create(task, call.group());
	}

	private void store(AggregatorCall call, GroupMembers members, EnqueueRequest created,
			PendingObservation observation) {
		EnqueueRequest request = created
			.withHeaders(observation.get().headers(created.message().headers(), created.isScheduled()));
		AggregationStatus status = this.store.finish(call.staged(), members.messages(), request);
		if (status != AggregationStatus.ENQUEUED) {
			throw new AsynqException(problem(status, request.message()));
		}
		observation.decided(TaskOutcome.SUCCEEDED, null);
		this.backOff.succeeded(call.group());
		ServerCounters.Aggregations its = this.counters.aggregations(call.staged().queue());
		its.succeeded.increment();
		its.tasks.add(members.messages().size());
		logger.debug("{} tasks of {} became task {} ({})", members.messages().size(), call.group(),
				request.message().id(), request.message().type());
		if (this.events.isWanted(TaskEvent.Aggregated.class)) {
			this.events.tell(new TaskEvent.Aggregated(request.message().facts(), call.staged().group(),
					members.messages().size()));
		}
	}

	private GroupMembers withoutRejected(AggregatorCall call, GroupMembers members, Throwable error) throws Throwable {
		if (!(error instanceof RejectedTasksException rejection)) {
			throw error;
		}
		GroupMembers rejected = members.among(rejection.tasks());
		if (rejected.isEmpty()) {
			throw error;
		}
		String text = ErrorTexts.describe(error);
		this.store.archive(call.staged(), rejected.messages(), text);
		this.counters.archived.add(rejected.messages().size());
		UserCode.tell(ErrorTexts.quoteFree(error),
				(shown) -> logger.warn("Archived {} tasks of {}, which its aggregator rejected: {}",
						rejected.messages().size(), call.group(), text, shown));
		tellArchived(rejected.messages(), text, error, ArchiveReason.REJECTED);
		return members.without(rejection.tasks());
	}

	private void failed(AggregatorCall call, Throwable error) {
		// First, because what follows may fail as well
		giveBack(call);
		Duration pause = backOff(call);
		String text = call.staged().size() + " tasks of " + call.group() + " could not be aggregated: "
				+ ErrorTexts.describe(error) + ". They go back to their group and are retried after "
				+ pause.toSeconds() + " s";
		if (error instanceof BrokerException) {
			this.redisFailures.warn("asynq-aggregator", new AsynqException(text));
		}
		else if (this.options.logFailures().includesRetried(this.backOff.isNew(call.group()))) {
			UserCode.tell(ErrorTexts.quoteFree(error), (shown) -> logger
				.warn("{}; to archive some of them instead, throw RejectedTasksException", text, shown));
		}
		else {
			UserCode.tell(error, (shown) -> logger.debug("{}", text, shown));
		}
	}

	private TaskObservation observe(GroupName group, GroupMembers members) {
		return (this.observations.isOn() && !members.isEmpty())
				? this.observations.aggregate(group.queue(), group.group(), members.tasks()) : TaskObservation.NONE;
	}

	private Duration backOff(AggregatorCall call) {
		this.counters.aggregations(call.staged().queue()).failed.increment();
		return this.backOff.failed(call.group());
	}

	private boolean giveUpOverdue(AggregatorCall call) {
		Exception stack = UserThread.where("the aggregator", call.thread());
		if (!call.giveUp()) {
			return false;
		}
		backOff(call);
		long lost = this.underWay.stream().filter(AggregatorCall::isGivenUp).count();
		logger.warn(
				"The aggregator {} has taken too long for {}, whose set expired at {}: it is interrupted, its {} tasks go"
						+ " back, and its result will be dropped. Until it returns, its thread is not free ({} of {} are"
						+ " occupied like this), and this server leaves the group alone. Set timeouts in the aggregator;"
						+ " 'asynq.server.group-max-size' limits how many tasks it gets",
				call.aggregator(), call.group(), call.staged().expiresAt(), call.staged().size(), lost,
				AggregatorThreads.THREADS, stack);
		return true;
	}

	/**
	 * An end that is not recorded counts as a crash, which is better than to fail here.
	 */
	private void noteEnd(AggregatorCall call) {
		try {
			this.store.end(call.staged(), call.how());
		}
		catch (BrokerException ex) {
			logger.debug("The end of the aggregator of {} could not be recorded", call.group(), ex);
		}
	}

	private static void dropLateReturn(AggregatorCall call, @Nullable Throwable error) {
		logger.info("The aggregator {} of {} returned after it was given up: {} is dropped, its thread is free",
				call.aggregator(), call.group(), (error != null) ? "its error" : "its task");
		UserCode.rethrowIfFatal(error);
	}

	private static String problem(AggregationStatus status, TaskMessage message) {
		return switch (status) {
			case EXPIRED -> "it took too long, so its tasks went back to their group and its task is dropped;"
					+ " set 'asynq.server.group-max-size' if it gets too many tasks at once";
			case ID_CONFLICT ->
				"it returned a task with id '" + message.id() + "', which another task has; return one without an id";
			default -> "it returned a unique task (type '" + message.type()
					+ "'), and another task holds its lock; it is retried until the lock is free";
		};
	}

	private void tellArchived(List<TaskMessage> members, String error, @Nullable Throwable cause,
			ArchiveReason reason) {
		if (this.events.isOn()) {
			members.forEach((member) -> this.events.tellArchived(member.facts(), error, cause, reason));
		}
	}

}
