package io.asynq.internal.worker;

import java.time.Duration;
import java.util.List;

import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

public final class Processor extends PeriodicComponent {

	private static final Logger logger = OneLineLogger.of(Processor.class);

	private static final Duration UNTIL_WOKEN = Duration.ofSeconds(1);

	private final QuietSwitch quietSwitch;

	private final QueuePoll poll;

	private final TaskFetcher fetcher;

	private final Intake intake;

	private final Slots slots;

	private final WorkerThreads threads;

	private final Requeuer requeuer;

	private final Loops loops;

	public Processor(QuietSwitch quietSwitch, QueuePoll poll, TaskFetcher fetcher, Intake intake, Slots slots,
			WorkerThreads threads, Requeuer requeuer, Loops loops) {
		super(ServerPhase.PROCESSOR, loops);
		this.quietSwitch = quietSwitch;
		this.poll = poll;
		this.fetcher = fetcher;
		this.intake = intake;
		this.slots = slots;
		this.threads = threads;
		this.requeuer = requeuer;
		this.loops = loops;
	}

	/** Until {@link #resume()} or the next start; running tasks continue. */
	public void quiet() {
		if (this.quietSwitch.quiet()) {
			logger.info("asynq server is quiet: it takes no more tasks");
			// It puts back what was fetched ahead
			wake();
		}
	}

	public void resume() {
		if (this.quietSwitch.resume()) {
			logger.info("asynq server is no longer quiet: it takes tasks again");
			this.poll.start();
			wake();
		}
	}

	public boolean isQuiet() {
		return this.quietSwitch.isQuiet();
	}

	@Override
	protected void starting() {
		this.requeuer.serverStarts();
		this.threads.start(new IdleThreads());
		this.poll.start();
		this.quietSwitch.start();
	}

	@Override
	protected Duration runOnce() {
		this.fetcher.giveBackLost();
		if (!this.quietSwitch.takesTasks()) {
			this.intake.putBackBuffered();
			asksNothing();
			return UNTIL_WOKEN;
		}
		this.poll.markIfDue();
		this.fetcher.readiness().markRested();
		boolean more = fetchForIdleWorkers();
		long untilOverdue = this.intake.putBackOverdue();
		boolean arrived = this.poll.watch();
		if (more || arrived || isSlotFree()) {
			return Duration.ZERO;
		}
		long untilMarked = Math.min(this.poll.nanosUntilNext(), this.fetcher.readiness().markRested());
		return Duration.ofNanos(Math.min(untilOverdue, untilMarked));
	}

	/** Returns whether there is more to fetch at once. */
	private boolean fetchForIdleWorkers() {
		boolean leftOff = this.intake.fetch();
		if (leftOff) {
			// One that was turned away meanwhile need not wait for what is next here
			this.threads.freed();
		}
		return leftOff;
	}

	/**
	 * Threads of a pool fetch by themselves; any other slot that becomes free wakes this.
	 */
	private boolean isSlotFree() {
		return !this.threads.fetchThemselves() && this.slots.awaitOffer() && this.intake.isWorthwhile();
	}

	@Override
	protected void stopping() {
		this.quietSwitch.stop();
	}

	@Override
	protected void stopped() {
		if (!this.loops.stops().await(this.intake::awaitQuiet)) {
			logger.warn("asynq server stopping: a fetch does not end; the tasks that it takes are put back");
		}
		runAtStopForOutcomes(this.intake::putBackBuffered);
		List<Attempt> culprits = this.requeuer.endCulprits();
		runAtStopForOutcomes(() -> this.requeuer.report(culprits));
		runAtStop(this.fetcher::giveBackLost);
		if (!this.requeuer.awaitEnd()) {
			requeueRunning();
		}
		this.threads.stop();
		logger.info("asynq server stopped");
	}

	private void requeueRunning() {
		List<Attempt> running = this.requeuer.running();
		List<Attempt> outcomes = this.requeuer.takeBack(running);
		if (!outcomes.isEmpty()) {
			logger.info("asynq server puts {} unfinished tasks back to the front of their queues", outcomes.size());
		}
		runAtStopForOutcomes(() -> this.requeuer.report(outcomes));
		// An attempt that has just succeeded is about to be reported
		running.forEach((attempt) -> this.loops.stops().await(attempt::awaitClaim));
	}

	private final class IdleThreads implements WorkerThreads.Source {

		@Override
		public void look() {
			try {
				boolean leftOff = true;
				while (leftOff) {
					leftOff = Processor.this.intake.fetchForWorker();
					if (Processor.this.poll.isWatchMissing() || Processor.this.fetcher.readiness().isAnyResting()) {
						wake();
					}
				}
			}
			catch (Exception ex) {
				Processor.this.loops.errors().warn("asynq-processor", ex);
			}
		}

		@Override
		public boolean isWorthLooking() {
			return Processor.this.intake.isUnattended();
		}

	}

}
