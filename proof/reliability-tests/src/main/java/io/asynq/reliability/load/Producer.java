package io.asynq.reliability.load;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.asynq.AsynqClient;
import io.asynq.AsynqException;
import io.asynq.ClientOptions;
import io.asynq.DuplicateTaskException;
import io.asynq.EnqueueAttempt;
import io.asynq.Task;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskOptions;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.test.ledger.Enqueued.Answer;
import io.asynq.test.ledger.LedgerWriter;
import io.asynq.test.ledger.TaskKey;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import tools.jackson.databind.json.JsonMapper;

/** Enqueues tasks evenly over a time and records every answer. */
public final class Producer implements Runnable {

	private static final TaskOptions KEPT = TaskOptions.of((options) -> options.retention(Duration.ofHours(1)));

	/** Or the ledger is flooded while Redis is unavailable. */
	private static final Duration AFTER_ERROR = Duration.ofMillis(100);

	/** Long enough to be observed, well within the lease of a quick run. */
	private static final int LONG_MILLIS = 4000;

	private static final int LIMITED_MILLIS = 1000;

	/**
	 * Its token expires by the clock of Redis, which may be stepped by an hour meanwhile.
	 */
	private static final Duration LIMITED_TIMEOUT = Duration.ofHours(3);

	private final AsynqClient client;

	private final LedgerWriter ledger;

	private final JsonMapper json = new JsonMapper();

	private final Load load;

	private final int tasks;

	private final long nanosEach;

	private final boolean persistent;

	private volatile boolean ended;

	public Producer(RedisConnectionFactory connections, LedgerWriter ledger, Load load, int tasks, Duration feeding,
			boolean persistent) {
		Clock clock = Clock.systemUTC();
		this.client = AsynqClient
			.create(new RedisBroker(connections, clock, RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
			}), ClientOptions.builder().clock(clock).build());
		this.ledger = ledger;
		this.load = load;
		this.tasks = tasks;
		this.nanosEach = feeding.toNanos() / tasks;
		this.persistent = persistent;
	}

	public boolean hasEnded() {
		return this.ended;
	}

	@Override
	public void run() {
		try {
			long start = System.nanoTime();
			for (int i = 0; i < this.tasks && !Thread.currentThread().isInterrupted(); i++) {
				enqueue(this.load.next());
				long ahead = start + (i + 1) * this.nanosEach - System.nanoTime();
				if (ahead > 0) {
					LockSupport.parkNanos(ahead);
				}
			}
		}
		finally {
			this.ended = true;
		}
	}

	/** May be called, like those below, while others are enqueued. */
	public void crowd(String queue, String group, int size) {
		enqueueAtOnce(size, (i) -> planned(new TaskKey(queue, group + "-" + i), TaskKind.GROUPED, new Member(i),
				(options) -> options.group(Load.group(queue, group)).header(Member.ID, group + "-" + i)));
	}

	/** Of seconds, over all queues. */
	public void longWork(String name, int size) {
		List<String> queues = List.copyOf(Load.QUEUES.keySet());
		enqueueAtOnce(size, (i) -> planned(new TaskKey(queues.get(i % queues.size()), name + "-" + i), TaskKind.LONG,
				Load.longWork(i, LONG_MILLIS, i % 2 == 0), (options) -> {
				}));
	}

	/** Only {@link Work#LIMIT} of them may run at a time, on all workers. */
	public void limitedWork(String name, int size) {
		String queue = Load.QUEUES.keySet().iterator().next();
		enqueueAtOnce(size, (i) -> planned(new TaskKey(queue, name + "-" + i), TaskKind.LIMITED,
				Load.longWork(i, LIMITED_MILLIS, false), (options) -> options.timeout(LIMITED_TIMEOUT)));
	}

	public void shortWork(String queue, String name, int size) {
		enqueueAtOnce(size, (i) -> planned(new TaskKey(queue, name + "-" + i), TaskKind.SHORT,
				new Work(i, 0, List.of(), false), (options) -> {
				}));
	}

	public TaskKey deadly(String id, Deadly deadly) {
		TaskKey key = new TaskKey(Load.QUEUES.keySet().iterator().next(), id);
		enqueueAtOnce(1, (i) -> planned(key, TaskKind.LONG, deadly, (options) -> {
		}));
		return key;
	}

	private static PlannedTask planned(TaskKey key, TaskKind kind, Object payload, Consumer<TaskOptions.Builder> more) {
		return new PlannedTask(key, kind, payload, TaskOptions.of((options) -> {
			options.queue(key.queue()).taskId(key.id());
			more.accept(options);
		}));
	}

	private void enqueueAtOnce(int size, IntFunction<PlannedTask> task) {
		List<PlannedTask> planned = IntStream.rangeClosed(1, size).mapToObj(task).toList();
		List<EnqueueAttempt> attempts = this.client
			.enqueueAll(planned.stream().map((one) -> task(one).withOptions(one.options())).toList());
		for (int i = 0; i < planned.size(); i++) {
			EnqueueAttempt attempt = attempts.get(i);
			log(planned.get(i), attempt.enqueued() ? new Told(Answer.ACKNOWLEDGED, planned.get(i).describe())
					: new Told(Answer.UNKNOWN, String.valueOf(attempt.error())));
		}
	}

	private void enqueue(PlannedTask planned) {
		// The id of an aggregated task is free again, so it would be enqueued twice
		boolean again = this.persistent && !planned.kind().isGrouped();
		Told told = ask(planned);
		boolean doubtful = false;
		while (again && told.answer() == Answer.UNKNOWN && !Thread.currentThread().isInterrupted()) {
			doubtful = true;
			told = ask(planned);
		}
		if (doubtful && told.answer() == Answer.REFUSED) {
			// The holder of the lock that made a duplicate is not known
			told = new Told(Answer.UNKNOWN, told.detail());
		}
		log(planned, told);
	}

	private void log(PlannedTask planned, Told told) {
		Integer maxRetry = planned.options().maxRetry();
		this.ledger.enqueued(told.answer(), planned.key(),
				(maxRetry != null) ? maxRetry : TaskOptions.DEFAULT_MAX_RETRY, told.detail());
	}

	private Task task(PlannedTask planned) {
		return Task.of(planned.type(), this.json.writeValueAsBytes(planned.payload()));
	}

	private Told ask(PlannedTask planned) {
		TaskOptions options = this.persistent ? planned.options().overriddenBy(KEPT) : planned.options();
		try {
			this.client.enqueue(task(planned), options);
			return new Told(Answer.ACKNOWLEDGED, planned.describe());
		}
		catch (TaskIdConflictException ex) {
			// Ids are unique, so Redis knows it from an earlier try: ours, or one that
			// Jedis has made by itself on a cluster
			return new Told(Answer.ACKNOWLEDGED, ex.toString());
		}
		catch (DuplicateTaskException ex) {
			return new Told(Answer.REFUSED, ex.toString());
		}
		catch (AsynqException ex) {
			LockSupport.parkNanos(AFTER_ERROR.toNanos());
			return new Told(Answer.UNKNOWN, ex.toString());
		}
	}

	/** An answer. */
	private record Told(Answer answer, String detail) {

	}

}
