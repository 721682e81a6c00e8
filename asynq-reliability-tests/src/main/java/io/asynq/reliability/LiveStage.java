package io.asynq.reliability;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.asynq.reliability.fault.Scale;
import io.asynq.reliability.fault.Stage;
import io.asynq.reliability.fault.Timing;
import io.asynq.reliability.load.Deadly;
import io.asynq.reliability.load.Producer;
import io.asynq.reliability.process.Fleet;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.FaultWindow;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.LedgerReader;
import io.asynq.test.ledger.LedgerWriter;
import io.asynq.test.ledger.TaskKey;
import io.asynq.test.redis.RedisSetup;

/** The stage of one run. */
final class LiveStage implements Stage {

	private final Settings settings;

	private final Timing timing;

	private final Random random;

	private final RedisSetup redis;

	private final Fleet fleet;

	private final Records records;

	private int windows;

	LiveStage(Settings settings, Timing timing, Random random, RedisSetup redis, Fleet fleet, Records records) {
		this.settings = settings;
		this.timing = timing;
		this.random = random;
		this.redis = redis;
		this.fleet = fleet;
		this.records = records;
	}

	@Override
	public Scale scale() {
		return this.settings.scale();
	}

	@Override
	public Clock clock() {
		return this.settings.clock();
	}

	@Override
	public Timing timing() {
		return this.timing;
	}

	@Override
	public Random random() {
		return this.random;
	}

	@Override
	public <T extends RedisSetup> T redis(Class<T> type) {
		return type.cast(this.redis);
	}

	@Override
	public Fleet fleet() {
		return this.fleet;
	}

	@Override
	public void crowd(String queue, String group, int size) {
		this.records.producer().crowd(queue, group, size);
	}

	@Override
	public void longWork(String name, int size) {
		this.records.producer().longWork(name, size);
	}

	@Override
	public void limitedWork(String name, int size) {
		this.records.producer().limitedWork(name, size);
	}

	@Override
	public void shortWork(String queue, String name, int size) {
		this.records.producer().shortWork(queue, name, size);
	}

	@Override
	public TaskKey deadly(String id, Deadly deadly) {
		return this.records.producer().deadly(id, deadly);
	}

	@Override
	public Ledger ledger() {
		return LedgerReader.read(this.records.folder());
	}

	@Override
	public Window window(String worker, Explains explains, String detail) {
		Instant start = clock().instant();
		this.windows++;
		return () -> this.records.faults()
			.window(new FaultWindow(this.records.fault(), worker, explains, start, clock().instant(), detail));
	}

	@Override
	public void pause(Duration time) throws InterruptedException {
		if (this.records.givenUp().await(time.toNanos(), TimeUnit.NANOSECONDS)) {
			throw new InterruptedException("The run was given up");
		}
	}

	@Override
	public boolean feeding() {
		return !this.records.producer().hasEnded();
	}

	int windows() {
		return this.windows;
	}

	/** What is written and watched. */
	record Records(String fault, Path folder, LedgerWriter faults, Producer producer, CountDownLatch givenUp) {

	}

}
