package io.asynq.internal.worker;

import io.asynq.event.TaskOutcome;
import io.asynq.internal.event.TaskObservation;
import org.jspecify.annotations.Nullable;

/**
 * The thread that runs user code starts the observation, whichever has the outcome
 * decides how it ends, perhaps before it has started, and no loop or stop ends it in its
 * own thread, since what observes may hang.
 */
public final class PendingObservation {

	private TaskObservation started = TaskObservation.NONE;

	private @Nullable TaskOutcome outcome;

	private @Nullable Throwable error;

	private boolean ended;

	/** Ends the observation if its outcome is known already. */
	public void begin(TaskObservation observation) {
		synchronized (this) {
			this.started = observation;
		}
		end();
	}

	public synchronized TaskObservation get() {
		return this.started;
	}

	public synchronized boolean isRunning() {
		return this.started != TaskObservation.NONE && !this.ended;
	}

	/** Only the first call counts. */
	public synchronized void decided(TaskOutcome how, @Nullable Throwable why) {
		if (this.outcome == null) {
			this.outcome = how;
			this.error = why;
		}
	}

	public void end() {
		TaskObservation its;
		TaskOutcome how;
		synchronized (this) {
			its = this.started;
			how = this.outcome;
			this.ended = how != null && its != TaskObservation.NONE;
		}
		if (how != null) {
			its.end(how, this.error);
		}
	}

}
