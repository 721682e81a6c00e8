package io.asynq.server;

import java.util.List;

import io.asynq.broker.Outcome;

/**
 * Has it written down when handlers of suspects begin, in their workers' threads: a node
 * of a cluster that hangs costs the slots of its own tasks. Where that cannot be done,
 * they do not begin: a server that dies then would leave no trace of who it was. Safe for
 * concurrent use.
 */
final class Beginnings {

	private final ServerRuntime runtime;

	Beginnings(ServerRuntime runtime) {
		this.runtime = runtime;
	}

	/**
	 * Returns whether an attempt's handler may begin. What may not is put back.
	 * @param attempt an attempt that is about to begin
	 * @return {@code true} unless it is a suspect of which that could not be written down
	 * while its lease was valid
	 */
	boolean mayBegin(Attempt attempt) {
		if (!attempt.leased().record().suspect()) {
			return true;
		}
		if (note(attempt) && attempt.lease().isValidAt(System.nanoTime())) {
			return true;
		}
		// If somebody else has ended it meanwhile, he concludes it
		if (attempt.takeBack(new ServerStoppedException())) {
			this.runtime.reporter()
				.reportNow(List.of(new PendingOutcome(attempt, new Outcome.Requeue(attempt.leased()), false)));
		}
		return false;
	}

	private boolean note(Attempt attempt) {
		try {
			return !this.runtime.broker().attempts().begin(attempt.queue(), List.of(attempt.leased())).isEmpty();
		}
		catch (Throwable ex) {
			this.runtime.errors().warn("asynq-processor", ex);
			return false;
		}
	}

}
