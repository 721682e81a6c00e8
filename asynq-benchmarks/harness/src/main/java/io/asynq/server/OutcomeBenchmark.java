package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.asynq.benchmarks.micro.MicroBenchmark;
import io.asynq.broker.TaskCompleter;
import io.asynq.broker.message.Lease;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.Outcome;
import io.asynq.broker.message.OutcomeResult;
import io.asynq.broker.message.TaskMessage;
import io.asynq.event.TaskEvents;
import io.asynq.lifecycle.LoopErrorLog;
import io.asynq.lifecycle.Loops;
import io.asynq.lifecycle.StopBudget;
import io.asynq.server.attempt.ActiveTasks;
import io.asynq.server.attempt.Attempt;
import io.asynq.server.attempt.AttemptTimes;
import io.asynq.server.attempt.ServerEvents;
import io.asynq.server.lane.Lanes;
import io.asynq.server.outcome.OutcomeLanes;
import io.asynq.server.outcome.OutcomeReporter;
import io.asynq.server.outcome.OutcomeSender;
import io.asynq.server.outcome.Syncer;
import io.asynq.server.state.ServerCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * Outcomes per millisecond of all threads, from workers through batches to a Redis that
 * takes no time: nothing waits for long, so all that is reported is also sent.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class OutcomeBenchmark extends MicroBenchmark {

	private static final int WAITING = 256;

	private final TaskMessage message = TaskMessage.builder("bench", "id", "bench").timeoutSeconds(1800).build();

	private final LeasedTask leased = new LeasedTask(this.message,
			new Lease("bench", "id", "", System.nanoTime() + TimeUnit.DAYS.toNanos(1)));

	private final Attempt attempt = new Attempt(this.leased, AttemptTimes.of(this.message, 0, Instant.EPOCH),
			new AllApplied());

	private final Outcome outcome = new Outcome.Done(this.leased);

	private final OutcomeReporter reporter = reporter();

	@Setup
	public void start() {
		this.reporter.start();
	}

	@TearDown
	public void stop() {
		this.reporter.stop();
	}

	@Benchmark
	@Threads(1)
	public void oneWorker() {
		this.reporter.report(this.attempt, this.outcome);
	}

	@Benchmark
	@Threads(10)
	public void tenWorkers() {
		this.reporter.report(this.attempt, this.outcome);
	}

	private static OutcomeReporter reporter() {
		TaskCompleter completer = new AllApplied();
		ActiveTasks active = new ActiveTasks();
		Loops loops = new Loops(() -> false, new LoopErrorLog(),
				new StopBudget(Duration.ZERO, Duration.ZERO, Duration.ZERO));
		OutcomeSender sender = new OutcomeSender(completer, active, new ServerCounters(List.of("default")),
				new ServerEvents(TaskEvents.none()));
		Syncer syncer = new Syncer(sender, Lanes.single(), loops);
		return new OutcomeReporter(new OutcomeLanes(Lanes.single(), sender, syncer, WAITING), active, WAITING, loops);
	}

	/** Takes no time. */
	private static final class AllApplied implements TaskCompleter {

		@Override
		public Set<LeasedTask> begin(String queue, Collection<LeasedTask> tasks) {
			return Set.copyOf(tasks);
		}

		@Override
		public void note(String queue, Collection<LeasedTask> tasks) {
		}

		@Override
		public boolean writeResult(Lease lease, byte[] result) {
			return true;
		}

		@Override
		public List<OutcomeResult> report(List<? extends Outcome> outcomes) {
			return Collections.nCopies(outcomes.size(), OutcomeResult.APPLIED);
		}

	}

}
