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
 * error is not tried again: nobody knows whether it is in Redis.
 */
public final class Producer implements Runnable {

	/** Not to fill the ledger while Redis is away. */
	private static final Duration AFTER_ERROR = Duration.ofMillis(100);

	private final AsynqClient client;

	private final LedgerWriter ledger;

	private final JsonMapper json = new JsonMapper();

	private final Load load;

	private final int tasks;

	private final long nanosEach;

	private volatile boolean ended;

	/**
	 * Creates a producer.
	 * @param connections how Redis is reached
	 * @param ledger where answers are logged
	 * @param load what is enqueued
	 * @param tasks how many
	 * @param feeding over how long a time
	 */
	public Producer(RedisConnectionFactory connections, LedgerWriter ledger, Load load, int tasks, Duration feeding) {
		Clock clock = Clock.systemUTC();
		this.client = AsynqClient
			.create(new RedisBroker(connections, clock, RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
			}), ClientOptions.builder().clock(clock).build());
		this.ledger = ledger;
		this.load = load;
		this.tasks = tasks;
		this.nanosEach = feeding.toNanos() / tasks;
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
		Answer answer;
		String detail = planned.kind() + " " + planned.work().millis() + " ms, fails at " + planned.work().fails();
		try {
			this.client.enqueue(Task.of(Work.TYPE, this.json.writeValueAsBytes(planned.work())), planned.options());
			answer = Answer.ACKNOWLEDGED;
		}
		catch (DuplicateTaskException | TaskIdConflictException ex) {
			answer = Answer.REFUSED;
			detail = ex.toString();
		}
		catch (AsynqException ex) {
			answer = Answer.UNKNOWN;
			detail = ex.toString();
		}
		Integer maxRetry = planned.options().maxRetry();
		this.ledger.enqueued(answer, planned.key(), (maxRetry != null) ? maxRetry : TaskOptions.DEFAULT_MAX_RETRY,
				detail);
		if (answer == Answer.UNKNOWN) {
			LockSupport.parkNanos(AFTER_ERROR.toNanos());
		}
	}

}
