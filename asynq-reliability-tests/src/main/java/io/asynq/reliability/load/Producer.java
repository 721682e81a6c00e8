package io.asynq.reliability.load;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import io.asynq.AsynqException;
import io.asynq.DuplicateTaskException;
import io.asynq.Task;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskOptions;
import io.asynq.broker.redis.RedisBroker;
import io.asynq.client.AsynqClient;
import io.asynq.client.ClientOptions;
import io.asynq.reliability.ledger.Enqueued.Answer;
import io.asynq.reliability.ledger.LedgerWriter;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Enqueues tasks evenly over a time and logs every answer. What was answered with an
 * error is not tried again, because nobody knows whether it is in Redis; unless the
 * producer is persistent: then every task is kept after its success, so that its id is
 * known for long, and is enqueued under this id until there is an answer.
 */
public final class Producer implements Runnable {

	private static final TaskOptions KEPT = TaskOptions.of((options) -> options.retention(Duration.ofHours(1)));

	/** Not to fill the ledger while Redis is away. */
	private static final Duration AFTER_ERROR = Duration.ofMillis(100);

	private final AsynqClient client;

	private final LedgerWriter ledger;

	private final JsonMapper json = new JsonMapper();

	private final Load load;

	private final int tasks;

	private final long nanosEach;

	private final boolean persistent;

	private volatile boolean ended;

	/**
	 * Creates a producer.
	 * @param connections how Redis is reached
	 * @param ledger where answers are logged
	 * @param load what is enqueued
	 * @param tasks how many
	 * @param feeding over how long a time
	 * @param persistent whether it tries again after an error
	 */
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

	/**
	 * Returns whether all tasks were enqueued, or the producer gave up.
	 * @return whether nothing more will come
	 */
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

	private void enqueue(PlannedTask planned) {
		Told told = ask(planned);
		boolean doubtful = false;
		while (this.persistent && told.answer() == Answer.UNKNOWN && !Thread.currentThread().isInterrupted()) {
			doubtful = true;
			told = ask(planned);
		}
		if (doubtful && told.answer() == Answer.REFUSED) {
			// Whose lock it was that made a duplicate cannot be told
			told = new Told(Answer.UNKNOWN, told.detail());
		}
		Integer maxRetry = planned.options().maxRetry();
		this.ledger.enqueued(told.answer(), planned.key(),
				(maxRetry != null) ? maxRetry : TaskOptions.DEFAULT_MAX_RETRY, told.detail());
	}

	private Told ask(PlannedTask planned) {
		TaskOptions options = this.persistent ? planned.options().overriddenBy(KEPT) : planned.options();
		try {
			this.client.enqueue(Task.of(Work.TYPE, this.json.writeValueAsBytes(planned.work())), options);
			return new Told(Answer.ACKNOWLEDGED,
					planned.kind() + " " + planned.work().millis() + " ms, fails at " + planned.work().fails());
		}
		catch (TaskIdConflictException ex) {
			// Ids are given once, so Redis knows it from an earlier try: ours, or one
			// that
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

	/**
	 * An answer.
	 *
	 * @param answer the answer
	 * @param detail for the reader of a finding
	 */
	private record Told(Answer answer, String detail) {

	}

}
