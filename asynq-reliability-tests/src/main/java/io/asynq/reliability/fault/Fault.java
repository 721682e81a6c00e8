package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.List;

import io.asynq.reliability.check.Resumes;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.redis.RedisSetup;
import io.asynq.test.redis.StandaloneRedis;
import org.jspecify.annotations.Nullable;

/** One kind of harm. An instance is used for one run and may keep state. */
public abstract class Fault {

	private final String name;

	private final Scenario quick;

	private final Scenario full;

	protected Fault(String name, Scenario quick, Scenario full) {
		this.name = name;
		this.quick = quick;
		this.full = full;
	}

	/** As for {@code --only} and in the table: lower-case words joined by hyphens. */
	public final String name() {
		return this.name;
	}

	public Scenario scenario(Scale scale) {
		return (scale == Scale.QUICK) ? this.quick : this.full;
	}

	public Timing timing(Scale scale) {
		return Timing.of(scale);
	}

	/** Starts the Redis of this run, which the run closes. */
	public RedisSetup openRedis() {
		return StandaloneRedis.start();
	}

	/**
	 * Returns when all harm is undone; then the run waits until everything is processed
	 * and judges. All harm is wrapped into a {@link Stage#window window}: only windows
	 * explain repeated runs.
	 */
	public abstract void inject(Stage stage) throws InterruptedException;

	/**
	 * Returns whether momentary invariants can be checked during the fault: not while the
	 * keys of a queue are moved one by one.
	 */
	public boolean showsWholeQueues() {
		return true;
	}

	/**
	 * Returns an effect that the fault should have had but had not, which means that it
	 * proved nothing.
	 */
	public List<String> unproved(Ledger ledger) {
		return List.of();
	}

	public @Nullable Resumes resumesWithin(Scale scale) {
		return null;
	}

	/**
	 * How much of what was acknowledged before a window Redis may lose by its settings:
	 * it is counted separately and is no loss of ours.
	 */
	public Duration redisMayLose() {
		return Duration.ZERO;
	}

	/**
	 * Returns whether producers repeat an enqueue under its id until it is answered; then
	 * all tasks have a retention.
	 */
	public boolean producersPersist() {
		return false;
	}

}
