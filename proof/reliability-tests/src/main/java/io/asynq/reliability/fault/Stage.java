package io.asynq.reliability.fault;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import io.asynq.reliability.load.Producer;
import io.asynq.reliability.process.Fleet;
import io.asynq.reliability.process.Worker;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.FaultWindow;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.LedgerReader;
import io.asynq.test.ledger.LedgerWriter;
import io.asynq.test.ledger.Run;
import io.asynq.test.redis.RedisSetup;

/** What a fault can harm during a run. */
public record Stage(Scale scale, Clock clock, Timing timing, Random random, RedisSetup setup, Fleet fleet,
		Producer producer, Path folder, String fault, LedgerWriter faults, CountDownLatch givenUp) {

	private static final Duration LOOK = Duration.ofMillis(50);

	public <T extends RedisSetup> T redis(Class<T> type) {
		return type.cast(this.setup);
	}

	public Ledger ledger() {
		return LedgerReader.read(this.folder);
	}

	public Window window(String worker, Explains explains, String detail) {
		Instant start = this.clock.instant();
		return () -> this.faults
			.window(new FaultWindow(this.fault, worker, explains, start, this.clock.instant(), detail));
	}

	/** Begins harm that touches every worker. */
	public Window window(Explains explains, String detail) {
		return window(FaultWindow.ALL, explains, detail);
	}

	public void kill(Worker worker) {
		try (Window window = window(worker.name(), Explains.ANY, "SIGKILL of " + worker)) {
			this.fleet.kill(worker);
		}
	}

	public void terminate(Worker worker, Explains explains) throws InterruptedException {
		try (Window window = window(worker.name(), explains, "SIGTERM to " + worker)) {
			this.fleet.terminate(worker);
		}
	}

	/** Returns ready workers that run such a task at a moment. */
	public List<Worker> atWork(Instant moment, Predicate<Run> task) {
		Ledger ledger = ledger();
		return this.fleet.workers()
			.stream()
			.filter(Worker::isReady)
			.filter((worker) -> ledger.runningOn(worker.name(), moment).stream().anyMatch(task))
			.toList();
	}

	public List<Worker> atWork(String name) {
		return atWork(this.clock.instant(), (run) -> run.task().id().startsWith(name + "-"));
	}

	public void pause(Duration time) throws InterruptedException {
		if (this.givenUp.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
			throw new InterruptedException("The run was given up");
		}
	}

	public boolean await(Duration patience, BooleanSupplier condition) throws InterruptedException {
		long latest = System.nanoTime() + patience.toNanos();
		boolean holds = condition.getAsBoolean();
		while (!holds && System.nanoTime() < latest) {
			pause(LOOK);
			holds = condition.getAsBoolean();
		}
		return holds;
	}

	/** A fault under load stops when producers have no more tasks to enqueue. */
	public boolean feeding() {
		return !this.producer.hasEnded();
	}

	/** A time during which harm is done. */
	public interface Window extends AutoCloseable {

		@Override
		void close();

	}

}
