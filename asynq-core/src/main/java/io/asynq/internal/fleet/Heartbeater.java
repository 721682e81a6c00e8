package io.asynq.internal.fleet;

import java.time.Duration;

import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.worker.ActiveTasks;
import io.asynq.internal.worker.Attempt;
import io.asynq.internal.worker.LeaseRenewal;
import io.asynq.internal.worker.TaskExecution;

/**
 * Extends the server's entry and all leases, and notices lost leases.
 */
public final class Heartbeater extends PeriodicComponent {

	/** Each missed heartbeat brings leases nearer to their end. */
	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	private final ActiveTasks active;

	private final TaskExecution execution;

	private final LeaseRenewal leases;

	private final ServerEntry entry;

	private final Duration interval;

	public Heartbeater(ActiveTasks active, TaskExecution execution, LeaseRenewal leases, ServerEntry entry,
			Duration interval, Loops loops) {
		super(ServerPhase.HEARTBEATER, loops);
		this.active = active;
		this.execution = execution;
		this.leases = leases;
		this.entry = entry;
		this.interval = interval;
		longestPauseAfterError((interval.compareTo(LONGEST_PAUSE) < 0) ? interval : LONGEST_PAUSE);
	}

	@Override
	protected void starting() {
		this.entry.start();
	}

	@Override
	protected Duration runOnce() {
		long now = System.nanoTime();
		for (Attempt attempt : this.active.unsettled()) {
			if (attempt.isAbandoned()) {
				// It could not be concluded for lack of memory, and no other thread will
				this.execution.settle(attempt);
			}
			if (!attempt.lease().isValidAt(now)) {
				this.execution.leaseLost(attempt);
			}
		}
		this.leases.renew();
		this.leases.putBackAdrift();
		this.entry.renew();
		boolean retry = this.leases.isAnyAway() && this.interval.compareTo(LONGEST_PAUSE) > 0;
		return retry ? LONGEST_PAUSE : this.interval;
	}

	@Override
	protected void stopped() {
		runAtStopForOutcomes(() -> this.leases.putBackAdrift(Duration.ZERO));
		runAtStopForOutcomes(this.entry::remove);
	}

}
