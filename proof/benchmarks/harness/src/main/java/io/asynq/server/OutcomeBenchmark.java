package io.asynq.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.asynq.benchmarks.micro.MicroBenchmark;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.StopBudget;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.worker.ActiveTasks;
import io.asynq.internal.worker.Attempt;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import io.asynq.internal.worker.OutcomeWriter;
import io.asynq.internal.worker.ServerCounters;
import io.asynq.internal.worker.TaskCompleter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * Outcomes per millisecond, with a Redis that takes no time, so nothing waits for long.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class OutcomeBenchmark extends MicroBenchmark {

	private static final int WAITING = 256;

	private final TaskMessage message = TaskMessage.builder("bench", "id", "bench").timeoutSeconds(1800).build();

	private final LeasedTask leased = new LeasedTask(this.message,
			new Lease("bench", "id", "", System.nanoTime() + TimeUnit.DAYS.toNanos(1)));

	private final Attempt attempt = new Attempt(this.leased, 0, Instant.EPOCH, new AllApplied()::writeResult)
		.withOutcome(new Outcome.Done(this.leased));

	private final OutcomeWriter writer = writer();

	@Setup
	public void start() {
		this.writer.start();
	}

	@TearDown
	public void stop() {
		this.writer.stop();
	}

	@Benchmark
	@Threads(1)
	public void oneWorker() {
		this.writer.report(this.attempt);
	}

	@Benchmark
	@Threads(10)
	public void tenWorkers() {
		this.writer.report(this.attempt);
	}

	private static OutcomeWriter writer() {
		Loops loops = new Loops(() -> false, new LoopErrorLog(),
				new StopBudget(Duration.ZERO, Duration.ZERO, Duration.ZERO));
		return new OutcomeWriter(new AllApplied(), new ActiveTasks(), new ServerCounters(List.of("default")),
				TaskEvents.none(), (limits) -> {
				}, Lanes.single(), WAITING, loops);
	}

	/** Takes no time. */
	private static final class AllApplied extends TaskCompleter {

		AllApplied() {
			super(null, null, Clock.systemUTC(), ScriptTime.REDIS);
		}

		@Override
		public List<OutcomeResult> report(List<? extends Outcome> outcomes) {
			return Collections.nCopies(outcomes.size(), OutcomeResult.APPLIED);
		}

	}

}
