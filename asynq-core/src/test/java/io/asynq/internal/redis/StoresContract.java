package io.asynq.internal.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.asynq.AsynqException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.worker.Due;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import io.asynq.test.MutableClock;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Base of contracts that look at an empty Redis through its stores, by a clock that
 * stands still.
 */
abstract class StoresContract {

	static final String QUEUE = "default";

	static final String STORED = "stored";

	static final Placement NOW = new Placement.Pending();

	final RedisBroker broker;

	final MutableClock clock = MutableClock.create();

	StoresContract(RedisConnectionFactory factory) {
		this.broker = new RedisBroker(factory, this.clock, ScriptTime.of(this.clock),
				RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
				});
	}

	/** Sums of a queue's days. */
	record Counted(long processed, long failed) {
	}

	final String enqueue(EnqueueRequest request) {
		try {
			this.broker.enqueuer().enqueue(request);
			return STORED;
		}
		catch (AsynqException ex) {
			return ex.getMessage();
		}
	}

	final List<String> enqueueAll(EnqueueRequest... requests) {
		return this.broker.enqueuer().enqueueAll(List.of(requests)).stream().map(StoresContract::told).toList();
	}

	final void pending(String... ids) {
		for (String id : ids) {
			enqueue(request(message(id).build(), NOW));
		}
	}

	final LeasedTask take() {
		return take(1).get(0);
	}

	final List<LeasedTask> take(int max) {
		return this.broker.dequeuer().dequeue(QUEUE, max).tasks();
	}

	/**
	 * Stores a task and takes it.
	 */
	final LeasedTask active(TaskMessage message) {
		enqueue(request(message, NOW));
		return take();
	}

	final List<OutcomeResult.Status> report(Outcome... outcomes) {
		return this.broker.completer().report(List.of(outcomes)).stream().map(OutcomeResult::status).toList();
	}

	/**
	 * Brings a task into a state, by the way that tasks get there.
	 */
	final void inState(TaskState state, String id) {
		TaskMessage message = message(id).retentionSeconds(60).group("g").build();
		switch (state) {
			case PENDING -> enqueue(request(message, NOW));
			case SCHEDULED -> enqueue(request(message, later(60)));
			case AGGREGATING -> enqueue(request(message, new Placement.Grouped()));
			case ACTIVE -> active(message);
			case RETRY -> report(new Outcome.Retry(active(message), "failed", due(60), true));
			case ARCHIVED -> report(new Outcome.Archive(active(message), "failed"));
			case COMPLETED -> report(new Outcome.Completed(active(message), null));
			default -> throw new IllegalArgumentException("Not stored: " + state);
		}
	}

	final List<String> ids(TaskState state) {
		return ids(this.broker.tasks().list(QUEUE, state, 0, 1000));
	}

	final TaskInfo info(String id) {
		return this.broker.tasks().find(QUEUE, id).orElseThrow();
	}

	/**
	 * Returns the state of a task, empty if there is none.
	 */
	final Optional<TaskState> state(String id) {
		return this.broker.tasks().find(QUEUE, id).map(TaskInfo::state);
	}

	final Counted counted() {
		return this.broker.queues()
			.stats(QUEUE)
			.map((stats) -> new Counted(stats.total().processed(), stats.total().failed()))
			.orElseThrow();
	}

	final Placement later(long seconds) {
		return new Placement.Scheduled(this.clock.instant().plusSeconds(seconds));
	}

	/** The second in which now is, and seconds after it. */
	final Instant second(long after) {
		return Instant.ofEpochSecond(this.clock.instant().getEpochSecond() + after);
	}

	final Due due(long seconds) {
		return due(Duration.ofSeconds(seconds));
	}

	/** Brokers under test measure by the clock. */
	final Due due(Duration delay) {
		Instant now = this.clock.instant();
		return new Due(delay, now.getEpochSecond() * 1_000_000_000L + now.getNano());
	}

	static EnqueueRequest request(TaskMessage message, Placement placement) {
		return new EnqueueRequest(message, placement, null);
	}

	static EnqueueRequest unique(TaskMessage message, Placement placement) {
		return new EnqueueRequest(message, placement, Duration.ofSeconds(90));
	}

	static TaskMessage.Builder message(String id) {
		return TaskMessage.builder("email:send", id, QUEUE)
			.payload(utf8("{\"user_id\":42}"))
			.maxRetry(25)
			.timeoutSeconds(1800);
	}

	static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	static @Nullable String text(byte @Nullable [] bytes) {
		return (bytes != null) ? new String(bytes, StandardCharsets.UTF_8) : null;
	}

	static List<String> ids(List<TaskInfo> tasks) {
		return tasks.stream().map(TaskInfo::id).toList();
	}

	static List<String> taken(List<LeasedTask> tasks) {
		List<String> ids = new ArrayList<>();
		tasks.forEach((task) -> ids.add(task.message().id()));
		return ids;
	}

	private static String told(Optional<AsynqException> error) {
		return error.map(Throwable::getMessage).orElse(STORED);
	}

}
