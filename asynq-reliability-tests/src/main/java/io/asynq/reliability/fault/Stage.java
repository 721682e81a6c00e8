package io.asynq.reliability.fault;

import java.time.Clock;
import java.time.Duration;
import java.util.Random;

import io.asynq.reliability.ledger.Explains;
import io.asynq.reliability.ledger.Ledger;
import io.asynq.reliability.ledger.TaskKey;
import io.asynq.reliability.load.Deadly;
import io.asynq.reliability.process.Fleet;
import io.asynq.reliability.redis.RedisSetup;

/**
 * What a fault finds while a load is worked off.
 */
public interface Stage {

	Scale scale();

	/**
	 * Returns the clock of this machine, which the ledger has its times from.
	 * @return the clock
	 */
	Clock clock();

	/**
	 * Returns leases and recovery as the workers of this run have them.
	 * @return the times
	 */
	Timing timing();

	/**
	 * Returns the source of everything random, which follows from the seed.
	 * @return the source, for the thread that injects
	 */
	Random random();

	/**
	 * Returns what {@link Fault#openRedis()} has started.
	 * @param <T> its type
	 * @param type its type
	 * @return the Redis
	 */
	<T extends RedisSetup> T redis(Class<T> type);

	/**
	 * Returns the workers.
	 * @return the workers, all of them ready at first
	 */
	Fleet fleet();

	/**
	 * Enqueues many tasks that join one group, at once.
	 * @param queue the queue
	 * @param group what tells the group from others of this queue, used for the first
	 * time
	 * @param size how many
	 */
	void crowd(String queue, String group, int size);

	/**
	 * Enqueues many tasks that work for seconds, at once.
	 * @param name begins their ids, used for the first time
	 * @param size how many
	 */
	void longWork(String name, int size);

	/**
	 * Enqueues tasks that work for a while, of which only
	 * {@link io.asynq.reliability.load.Work#LIMIT} may do so at once, on all workers.
	 * @param name begins their ids, used for the first time
	 * @param size how many
	 */
	void limitedWork(String name, int size);

	/**
	 * Enqueues a task that takes the process down that works on it.
	 * @param id its id, used for the first time
	 * @param deadly how
	 * @return the task
	 */
	TaskKey deadly(String id, Deadly deadly);

	/**
	 * Reads what producers and handlers have seen so far.
	 * @return the ledger
	 */
	Ledger ledger();

	/**
	 * Opens a window: from now until it is closed, harm is done.
	 * @param worker the name of the worker it is done to, or {@link Window#ALL}
	 * @param explains which runs it explains
	 * @param detail for the reader of a finding
	 * @return the window, logged to the ledger when it is closed
	 */
	Window window(String worker, Explains explains, String detail);

	/**
	 * Waits, because a fault lasts or the next one is not due yet.
	 * @param time how long
	 * @throws InterruptedException when the run is given up
	 */
	void pause(Duration time) throws InterruptedException;

	/**
	 * Returns whether producers still have tasks to enqueue: a fault that is to happen
	 * under load stops when they have none.
	 * @return whether there are more tasks to come
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
