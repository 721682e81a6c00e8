package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.List;

import io.asynq.reliability.check.Resumes;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.redis.RedisSetup;
import io.asynq.test.redis.StandaloneRedis;
import org.jspecify.annotations.Nullable;

/** One kind of harm. An instance is used for one run and may keep state. */
public interface Fault {

	/**
	 * Returns the name for {@code --only} and the table: lower-case words joined by
	 * hyphens.
	 */
	String name();

	Scenario scenario(Scale scale);

	default Timing timing(Scale scale) {
		return Timing.of(scale);
	}

	/** Starts the Redis of this run, which the run closes. */
	default RedisSetup openRedis() {
		return StandaloneRedis.start();
	}

	/**
	 * Returns when all harm is undone; then the run waits until everything is processed
	 * and judges. All harm is wrapped into a {@link Stage#window window}: only windows
	 * explain repeated runs.
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
	 */
	default List<String> unproved(Ledger ledger) {
		return List.of();
	}

	default @Nullable Resumes resumesWithin(Scale scale) {
		return null;
	}

	/**
	 * How much of what was acknowledged before a window Redis may lose by its settings:
	 * it is counted separately and is no loss of ours.
	 */
	default Duration redisMayLose() {
		return Duration.ZERO;
	}

	/**
	 * Returns whether producers repeat an enqueue under its id until it is answered; then
	 * all tasks have a retention.
	 */
	default boolean producersPersist() {
		return false;
	}

}
