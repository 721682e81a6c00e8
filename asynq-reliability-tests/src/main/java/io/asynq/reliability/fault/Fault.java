package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.List;

import io.asynq.reliability.check.Resumes;
import io.asynq.reliability.ledger.Ledger;
import io.asynq.reliability.redis.RedisSetup;
import io.asynq.reliability.redis.StandaloneRedis;
import org.jspecify.annotations.Nullable;

/**
 * One kind of harm. An instance is used for one run and may keep state.
 */
public interface Fault {

	/**
	 * Returns the name that {@code --only} and the table use.
	 * @return lower-case words joined by hyphens
	 */
	String name();

	/**
	 * Returns what goes on while the harm is done.
	 * @param scale how long the run may take
	 * @return tasks and workers
	 */
	Scenario scenario(Scale scale);

	/**
	 * Returns how long leases last, for all workers of this run.
	 * @param scale how long the run may take
	 * @return asynq's defaults in a full run
	 */
	default Timing timing(Scale scale) {
		return Timing.of(scale);
	}

	/**
	 * Starts the Redis of this run, which the run closes.
	 * @return the Redis
	 */
	default RedisSetup openRedis() {
		return StandaloneRedis.start();
	}

	/**
	 * Does the harm, on a thread of its own, while producers feed tasks and workers work
	 * on them. Returns when all harm is undone; then the run waits until everything is
	 * worked off and judges. Whatever is done is wrapped into a {@link Stage#window
	 * window}: only windows explain that a task ran again.
	 * @param stage what can be harmed
	 * @throws InterruptedException when the run is given up
	 */
	void inject(Stage stage) throws InterruptedException;

	/**
	 * Returns whether Redis shows a queue as a whole while harm is done: not while its
	 * keys are moved one by one.
	 * @return whether to judge what is seen at a glance
	 */
	default boolean showsWholeQueues() {
		return true;
	}

	/**
	 * Returns what the harm was to bring about and has not: then it proved nothing.
	 * @param ledger what producers, handlers and faults saw
	 * @return for the reader, empty if it took effect
	 */
	default List<String> unproved(Ledger ledger) {
		return List.of();
	}

	/**
	 * Returns within what time work must go on.
	 * @param scale how long the run may take
	 * @return the time from the begin of harm to a worker, or from the end of harm to
	 * all, {@code null} if nothing is promised
	 */
	default @Nullable Resumes resumesWithin(Scale scale) {
		return null;
	}

	/**
	 * Returns how much of what was acknowledged before a window Redis itself may lose by
	 * its settings, as with {@code appendfsync everysec}. It is counted apart and is no
	 * loss of ours; counters are then compared within the bounds that this leaves.
	 * @return zero unless Redis promises less than every write
	 */
	default Duration redisMayLose() {
		return Duration.ZERO;
	}

	/**
	 * Returns whether producers enqueue a task again, under its id, until they have an
	 * answer; then all tasks are kept after their success.
	 * @return {@code false} if an error leaves it open whether a task is in Redis
	 */
	default boolean producersPersist() {
		return false;
	}

}
