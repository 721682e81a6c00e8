package io.asynq.reliability.fault;

import java.time.Clock;
import java.time.Duration;
import java.util.Random;

import io.asynq.reliability.load.Deadly;
import io.asynq.reliability.process.Fleet;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.TaskKey;
import io.asynq.test.redis.RedisSetup;

/** What a fault can harm during a run. */
public interface Stage {

	Scale scale();

	Clock clock();

	Timing timing();

	Random random();

	<T extends RedisSetup> T redis(Class<T> type);

	Fleet fleet();

	void crowd(String queue, String group, int size);

	void longWork(String name, int size);

	/**
	 * Enqueues tasks that run for a while, of which only
	 * {@link io.asynq.reliability.load.Work#LIMIT} may run at a time, on all workers.
	 */
	void limitedWork(String name, int size);

	void shortWork(String queue, String name, int size);

	TaskKey deadly(String id, Deadly deadly);

	Ledger ledger();

	Window window(String worker, Explains explains, String detail);

	void pause(Duration time) throws InterruptedException;

	/**
	 * Returns whether producers still have tasks to enqueue: a fault under load stops
	 * when they have none.
	 */
	boolean feeding();

	/** A time during which harm is done. */
	interface Window extends AutoCloseable {

		/** For harm that touches every worker. */
		String ALL = "*";

		@Override
		void close();

	}

}
