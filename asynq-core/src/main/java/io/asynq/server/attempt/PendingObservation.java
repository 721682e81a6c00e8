package io.asynq.server.attempt;

import io.asynq.observation.TaskObservation;
import io.asynq.observation.TaskOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The observation of an attempt or an aggregation. The thread that runs user code starts
 * it, and whichever thread has the outcome decides how it ends, perhaps before it has
 * started. What observes may hang, so no loop and no stop ends it in its own thread. Safe
 * for concurrent use.
 */
public final class PendingObservation {

	private TaskObservation started = TaskObservation.NONE;

	private @Nullable TaskOutcome outcome;

	private @Nullable Throwable error;

	private boolean ended;

	/**
	 * Takes the observation, and ends it if its outcome is known already.
	 */
	public void begin(TaskObservation observation) {
		synchronized (this) {
			this.started = observation;
		}
		end();
	}

	/**
	 * Returns the observation, which observes nothing before it begins.
	 */
	public synchronized TaskObservation get() {
		return this.started;
	}

	/**
	 * Returns whether there is an observation to be ended.
	 */
	public synchronized boolean isRunning() {
		return this.started != TaskObservation.NONE && !this.ended;
	}

	/**
	 * Decides how the observation ends. Only the first call counts.
	 */
	public synchronized void decided(TaskOutcome how, @Nullable Throwable why) {
		if (this.outcome == null) {
			this.outcome = how;
			this.error = why;
		}
	}

	/**
	 * Ends the observation if its outcome is decided. What observes may hang.
	 */
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
