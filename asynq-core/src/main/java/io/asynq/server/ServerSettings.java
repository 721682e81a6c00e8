package io.asynq.server;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.asynq.CancelMode;
import io.asynq.TaskOptions;
import io.asynq.group.GroupLimits;
import io.asynq.internal.text.GoText;
import io.asynq.limit.TaskLimit;
import org.jspecify.annotations.Nullable;

/**
 * The values of {@link ServerOptions}, which says what they mean, with asynq's defaults.
 */
final class ServerSettings implements Cloneable {

	int concurrency = Runtime.getRuntime().availableProcessors();

	Map<String, QueueSpec> queues = new LinkedHashMap<>();

	Map<String, TaskLimit> limits = new LinkedHashMap<>();

	boolean strictPriority;

	Duration taskCheckInterval = Duration.ofSeconds(1);

	Duration delayedTaskCheckInterval = Duration.ofSeconds(5);

	Duration shutdownTimeout = Duration.ofSeconds(8);

	Duration heartbeatInterval = Duration.ofSeconds(5);

	Duration recoverInterval = Duration.ofSeconds(5);

	Duration recoverGrace = Duration.ofSeconds(30);

	int maxCrashes = 3;

	Duration janitorInterval = Duration.ofSeconds(8);

	int janitorBatchSize = 100;

	Duration healthCheckInterval = Duration.ofSeconds(15);

	Duration stuckHandlerTimeout = Duration.ofSeconds(10);

	GroupLimits groupLimits = GroupLimits.defaults();

	FailureLogging logFailures = FailureLogging.FIRST_AND_LAST;

	UnknownTypes unknownTypes = UnknownTypes.WAIT;

	Duration unknownTypesMaxAge = Duration.ofDays(7);

	CancelMode cancelMode = CancelMode.RETRY;

	boolean virtualThreads;

	boolean wakeUp = true;

	boolean handleTstp = true;

	@Nullable Boolean fetchAhead;

	static int atLeastOne(String name, int value) {
		if (value < 1) {
			throw new IllegalArgumentException(name + " must be at least 1, but is " + value);
		}
		return value;
	}

	static int notNegative(String name, int value) {
		if (value < 0) {
			throw new IllegalArgumentException(name + " must not be negative, but is " + value);
		}
		return value;
	}

	void queue(String name, QueueSpec spec) {
		if (GoText.isBlank(name)) {
			throw new IllegalArgumentException("queue names must not be blank");
		}
		this.queues.put(name, spec);
	}

	void limit(String name, TaskLimit limit) {
		if (!name.matches("[A-Za-z0-9._-]{1,100}")) {
			throw new IllegalArgumentException("the name of a limit must be up to 100 letters, digits, dots, dashes"
					+ " and underscores, but is '" + name + "'");
		}
		this.limits.put(name, Objects.requireNonNull(limit, "limit must not be null"));
	}

	void requireConsistent() {
		this.queues.forEach((queue, spec) -> spec.limits().forEach((name) -> {
			if (!this.limits.containsKey(name)) {
				throw new IllegalArgumentException("queue '" + queue + "' has the limit '" + name
						+ "', which is not configured: set 'asynq.limits." + name + ".concurrent' or 'asynq.limits."
						+ name + ".rate'");
			}
		}));
		if (this.strictPriority && Boolean.TRUE.equals(this.fetchAhead)) {
			throw new IllegalArgumentException("fetch-ahead and strict-priority are both true, but a task that was"
					+ " fetched ahead could run before one of a heavier queue: remove one of the two");
		}
	}

	QueueWeights weights() {
		Map<String, Integer> weights = new LinkedHashMap<>();
		this.queues.forEach((name, queue) -> weights.put(name, queue.weight()));
		return new QueueWeights(Collections.unmodifiableMap(weights), this.strictPriority);
	}

	boolean fetchAhead() {
		return !this.strictPriority && !Boolean.FALSE.equals(this.fetchAhead);
	}

	List<String> limitsOf(String queue) {
		QueueSpec spec = this.queues.get(queue);
		return (spec != null) ? spec.limits() : List.of();
	}

	GroupLimits groupLimits(String queue) {
		QueueSpec spec = this.queues.get(queue);
		GroupLimits own = (spec != null) ? spec.groupLimits() : null;
		return (own != null) ? own : this.groupLimits;
	}

	ServerSettings copy() {
		try {
			ServerSettings copy = (ServerSettings) clone();
			copy.queues = this.queues.isEmpty() ? Map.of(TaskOptions.DEFAULT_QUEUE, QueueSpec.ofWeight(1))
					: Collections.unmodifiableMap(new LinkedHashMap<>(this.queues));
			copy.limits = Collections.unmodifiableMap(new LinkedHashMap<>(this.limits));
			return copy;
		}
		catch (CloneNotSupportedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
