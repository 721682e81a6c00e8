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

/**
 * What a fault can harm during a run.
 */
public interface Stage {

	Scale scale();

	/**
	 * Returns the clock of this machine, which the times of the ledger are from.
	 */
	Clock clock();

	/**
	 * Returns the leases and recovery times of the workers of this run.
	 */
	Timing timing();

	/**
	 * Returns the source of randomness, which follows from the seed, for the injecting
	 * thread.
	 */
	Random random();

	/**
	 * Returns the Redis that {@link Fault#openRedis()} has started.
	 * @param <T> its type
	 * @param type its type
	 * @return the Redis
	 */
	<T extends RedisSetup> T redis(Class<T> type);

	/**
	 * Returns the workers, all of them ready at first.
	 */
	Fleet fleet();

	/**
	 * Enqueues many tasks of one group at once.
	 * @param queue the queue
	 * @param group the name of the group, unique in this queue
	 * @param size their number
	 */
	void crowd(String queue, String group, int size);

	/**
	 * Enqueues many tasks at once that run for seconds.
	 * @param name the prefix of their ids, unique
	 * @param size their number
	 */
	void longWork(String name, int size);

	/**
	 * Enqueues tasks that run for a while, of which only
	 * {@link io.asynq.reliability.load.Work#LIMIT} may run at a time, on all workers.
	 * @param name the prefix of their ids, unique
	 * @param size their number
	 */
	void limitedWork(String name, int size);

	/**
	 * Enqueues many tasks at once that do nothing.
	 * @param queue the queue
	 * @param name the prefix of their ids, unique
	 * @param size their number
	 */
	void shortWork(String queue, String name, int size);

	/**
	 * Enqueues a task that ends the process that runs it.
	 * @param id its id, unique
	 * @param deadly how
	 * @return the task
	 */
	TaskKey deadly(String id, Deadly deadly);

	/**
	 * Reads the records of producers and handlers so far.
	 */
	Ledger ledger();

	/**
	 * Opens a window: harm is done from now until it is closed.
	 * @param worker the name of the harmed worker, or {@link Window#ALL}
	 * @param explains which runs it explains
	 * @param detail for the reader of a finding
	 * @return the window, which is written to the ledger when it is closed
	 */
	Window window(String worker, Explains explains, String detail);

	/**
	 * Waits while a fault lasts or until the next one.
	 * @param time how long
	 * @throws InterruptedException if the run is given up
	 */
	void pause(Duration time) throws InterruptedException;

	/**
	 * Returns whether producers still have tasks to enqueue: a fault under load stops
	 * when they have none.
	 */
	boolean feeding();

	/**
	 * A time during which harm is done.
	 */
	interface Window extends AutoCloseable {

		/** For harm that touches every worker. */
		String ALL = "*";

		@Override
		void close();

	}

}
