package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.asynq.test.ledger.Explains;
import io.asynq.test.redis.RedisSetup;
import io.asynq.test.redis.StandaloneRedis;

/** Harm that needs no state and is its own proof. */
final class SimpleFault extends Fault {

	private UnaryOperator<Scenario> changes = UnaryOperator.identity();

	private Function<Scale, Timing> timing = Timing::of;

	private Supplier<? extends RedisSetup> redis = StandaloneRedis::start;

	private Harm harm = (stage) -> {
	};

	private boolean wholeQueues = true;

	private boolean persistent;

	private Duration mayLose = Duration.ZERO;

	private SimpleFault(String name, Scenario quick, Scenario full) {
		super(name, quick, full);
	}

	static SimpleFault of(String name, Scenario quick, Scenario full) {
		return new SimpleFault(name, quick, full);
	}

	SimpleFault with(UnaryOperator<Scenario> changes) {
		this.changes = changes;
		return this;
	}

	/** Redis is away for a while, which must be shorter than a lease. */
	SimpleFault outages() {
		this.timing = Timing::ofOutages;
		return this;
	}

	SimpleFault on(Supplier<? extends RedisSetup> redis) {
		this.redis = redis;
		return this;
	}

	SimpleFault partsOfQueues() {
		this.wholeQueues = false;
		return this;
	}

	SimpleFault persistent() {
		this.persistent = true;
		return this;
	}

	SimpleFault mayLose(Duration time) {
		this.mayLose = time;
		return this;
	}

	SimpleFault harm(Harm harm) {
		this.harm = harm;
		return this;
	}

	/** Harms from the beginning to the end of the load. */
	SimpleFault throughout(String detail, Harm begin) {
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
	SimpleFault again(Function<Stage, Duration> pause, Explains explains, String detail, Harm harm) {
		return harm((stage) -> {
			while (stage.feeding()) {
				stage.pause(pause.apply(stage));
				try (Stage.Window window = stage.window(explains, detail)) {
					harm.inject(stage);
				}
			}
		});
	}

	@Override
	public Scenario scenario(Scale scale) {
		return this.changes.apply(super.scenario(scale));
	}

	@Override
	public Timing timing(Scale scale) {
		return this.timing.apply(scale);
	}

	@Override
	public RedisSetup openRedis() {
		return this.redis.get();
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		this.harm.inject(stage);
	}

	@Override
	public boolean showsWholeQueues() {
		return this.wholeQueues;
	}

	@Override
	public boolean producersPersist() {
		return this.persistent;
	}

	@Override
	public Duration redisMayLose() {
		return this.mayLose;
	}

	/** What is done to workers and Redis. */
	interface Harm {

		void inject(Stage stage) throws InterruptedException;

	}

}
