package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.List;

import io.asynq.reliability.check.Resumes;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.redis.RedisSetup;
import io.asynq.test.redis.StandaloneRedis;
import org.jspecify.annotations.Nullable;

/**
 * One kind of harm. An instance is used for one run and may keep state.
 */
public interface Fault {

	/**
	 * Returns the name for {@code --only} and the table: lower-case words joined by
	 * hyphens.
	 */
	String name();

	/**
	 * Returns the load during the fault.
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
	 * Injects the fault, on a separate thread, while producers enqueue and workers run
	 * tasks. Returns when all harm is undone; then the run waits until everything is
	 * processed and judges. All harm is wrapped into a {@link Stage#window window}: only
	 * windows explain repeated runs.
	 * @param stage what can be harmed
	 * @throws InterruptedException if the run is given up
	 */
	void inject(Stage stage) throws InterruptedException;

	/**
	 * Returns whether momentary invariants can be checked during the fault: not while the
	 * keys of a queue are moved one by one.
	 */
	default boolean showsWholeQueues() {
		return true;
	}

	/**
	 * Returns an effect that the fault should have had but had not, which means that it
	 * proved nothing.
	 * @param ledger the records of producers, handlers and faults
	 * @return a text, empty if it took effect
	 */
	default List<String> unproved(Ledger ledger) {
		return List.of();
	}

	/**
	 * Returns within what time work must continue.
	 * @param scale how long the run may take
	 * @return the time from the beginning of harm to a worker, or from the end of harm to
	 * all, {@code null} if nothing is promised
	 */
	default @Nullable Resumes resumesWithin(Scale scale) {
		return null;
	}

	/**
	 * Returns how much of what was acknowledged before a window Redis itself may lose by
	 * its settings, as with {@code appendfsync everysec}. It is counted separately and is
	 * no loss of ours; counters are then compared within the resulting bounds.
	 * @return zero if Redis promises every write
	 */
	default Duration redisMayLose() {
		return Duration.ZERO;
	}

	/**
	 * Returns whether producers repeat an enqueue under its id until it is answered; then
	 * all tasks have a retention.
	 * @return {@code false} if an error leaves it open whether a task is in Redis
	 */
	default boolean producersPersist() {
		return false;
	}

}
