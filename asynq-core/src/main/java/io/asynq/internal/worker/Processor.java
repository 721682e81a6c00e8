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

	private final Admission admission;

	private final QueuePoll poll;

	private final Intake intake;

	private final Workers workers;

	private final Unfinished unfinished;

	private final Loops loops;

	public Processor(Admission admission, QueuePoll poll, Intake intake, Workers workers, Unfinished unfinished,
			Loops loops) {
		super(ServerPhase.PROCESSOR, loops);
		this.admission = admission;
		this.poll = poll;
		this.intake = intake;
		this.workers = workers;
		this.unfinished = unfinished;
		this.loops = loops;
	}

	/** Until {@link #resume()} or the next start; running tasks continue. */
	public void quiet() {
		if (this.admission.quiet()) {
			logger.info("asynq server is quiet: it takes no more tasks");
			// It puts back what was fetched ahead
			wake();
		}
	}

	public void resume() {
		if (this.admission.resume()) {
			logger.info("asynq server is no longer quiet: it takes tasks again");
			this.poll.start();
			wake();
		}
	}

	public boolean isQuiet() {
		return this.admission.isQuiet();
	}

	@Override
	protected void starting() {
		this.unfinished.serverStarts();
		this.workers.start(new IdleThreads());
		this.poll.start();
		this.admission.start();
	}

	@Override
	protected Duration runOnce() {
		this.intake.giveBackLost();
		if (!this.admission.isOpen()) {
			this.intake.putBackHeld();
			asksNothing();
			return UNTIL_WOKEN;
		}
		this.poll.markIfDue();
		this.intake.markRested();
		boolean leftOff = this.intake.fetch();
		if (leftOff) {
			// One that was turned away meanwhile need not wait for what is next here
			this.workers.wakeIdle();
		}
		long overdue = this.intake.putBackOverdue();
		if (this.poll.watch() || leftOff) {
			return Duration.ZERO;
		}
		if (!this.workers.lookForWork() && this.workers.awaitOffer() && this.intake.isWorthwhile()) {
			return Duration.ZERO;
		}
		return Duration.ofNanos(Math.min(overdue, Math.min(this.poll.nanosUntilNext(), this.intake.markRested())));
	}

	@Override
	protected void stopping() {
		this.admission.stop();
	}

	@Override
	protected void stopped() {
		if (!this.loops.stops().await(this.intake::awaitQuiet)) {
			logger.warn("asynq server stopping: a fetch does not end; the tasks that it takes are put back");
		}
		runAtStopForOutcomes(this.intake::putBackHeld);
		List<Attempt> culprits = this.unfinished.endCulprits();
		runAtStopForOutcomes(() -> this.unfinished.report(culprits));
		runAtStop(this.intake::giveBackLost);
		if (!this.unfinished.awaitEnd()) {
			requeueRunning();
		}
		this.workers.stop();
		logger.info("asynq server stopped");
	}

	private void requeueRunning() {
		List<Attempt> running = this.unfinished.running();
		List<Attempt> outcomes = this.unfinished.takeBack(running);
		if (!outcomes.isEmpty()) {
			logger.info("asynq server puts {} unfinished tasks back to the front of their queues", outcomes.size());
		}
		runAtStopForOutcomes(() -> this.unfinished.report(outcomes));
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
					if (Processor.this.poll.isWatchMissing() || Processor.this.intake.isAnyResting()) {
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
