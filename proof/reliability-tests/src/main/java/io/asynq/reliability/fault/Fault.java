package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.asynq.reliability.check.Resumes;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.redis.RedisSetup;
import io.asynq.test.redis.StandaloneRedis;
import org.jspecify.annotations.Nullable;

/** One kind of harm. An instance is used for one run and may keep state. */
public class Fault {

	private final String name;

	private final Scenario quick;

	private final Scenario full;

	private UnaryOperator<Scenario> changes = UnaryOperator.identity();

	private Function<Scale, Timing> timing = Timing::of;

	private Supplier<? extends RedisSetup> redis = StandaloneRedis::start;

	private Harm harm = (stage) -> {
	};

	private Function<Scale, @Nullable Resumes> resumes = (scale) -> null;

	private Duration mayLose = Duration.ZERO;

	private boolean wholeQueues = true;

	private boolean persistent;

	protected Fault(String name, Scenario quick, Scenario full) {
		this.name = name;
		this.quick = quick;
		this.full = full;
	}

	/** What both scenarios have. */
	final Fault with(UnaryOperator<Scenario> changes) {
		this.changes = changes;
		return this;
	}

	final Fault timing(Function<Scale, Timing> timing) {
		this.timing = timing;
		return this;
	}

	final Fault on(Supplier<? extends RedisSetup> redis) {
		this.redis = redis;
		return this;
	}

	final Fault resumes(Function<Scale, @Nullable Resumes> resumes) {
		this.resumes = resumes;
		return this;
	}

	/** By Redis's settings; it is counted separately and is no loss of ours. */
	final Fault mayLose(Duration time) {
		this.mayLose = time;
		return this;
	}

	/** Keys of a queue are moved one by one, so nothing holds at every moment. */
	final Fault partsOfQueues() {
		this.wholeQueues = false;
		return this;
	}

	/**
	 * Producers repeat an enqueue under its id until it is answered; then all tasks have
	 * a retention.
	 */
	final Fault persistent() {
		this.persistent = true;
		return this;
	}

	final Fault harm(Harm harm) {
		this.harm = harm;
		return this;
	}

	/** Harms from the beginning to the end of the load. */
	final Fault throughout(String detail, Harm begin) {
		return harm((stage) -> {
			try (Stage.Window window = stage.window(Explains.NOTHING, detail)) {
				begin.inject(stage);
				while (stage.feeding()) {
					stage.pause(Duration.ofMillis(100));
				}
			}
		});
	}

	/** Harms again and again while there is load. */
	final Fault again(Function<Stage, Duration> pause, Explains explains, String detail, Harm harm) {
		return harm((stage) -> {
			while (stage.feeding()) {
				stage.pause(pause.apply(stage));
				try (Stage.Window window = stage.window(explains, detail)) {
					harm.inject(stage);
				}
			}
		});
	}

	/** As for {@code --only} and in the table: lower-case words joined by hyphens. */
	public final String name() {
		return this.name;
	}

	public final Scenario scenario(Scale scale) {
		return this.changes.apply((scale == Scale.QUICK) ? this.quick : this.full);
	}

	public final Timing timing(Scale scale) {
		return this.timing.apply(scale);
	}

	/** Starts the Redis of this run, which the run closes. */
	public final RedisSetup openRedis() {
		return this.redis.get();
	}

	/**
	 * Returns when all harm is undone; then the run waits until everything is processed
	 * and judges. All harm is wrapped into a {@link Stage#window window}: only windows
	 * explain repeated runs.
	 */
	public void inject(Stage stage) throws InterruptedException {
		this.harm.inject(stage);
	}

	public final boolean showsWholeQueues() {
		return this.wholeQueues;
	}

	/**
	 * Returns an effect that the fault should have had but had not, which means that it
	 * proved nothing.
	 */
	public List<String> unproved(Ledger ledger) {
		return List.of();
	}

	public final @Nullable Resumes resumesWithin(Scale scale) {
		return this.resumes.apply(scale);
	}

	public final Duration redisMayLose() {
		return this.mayLose;
	}

	public final boolean producersPersist() {
		return this.persistent;
	}

	/** What is done to workers and Redis. */
	interface Harm {

		void inject(Stage stage) throws InterruptedException;

	}

}
