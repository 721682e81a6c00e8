package io.asynq.internal.worker;

import java.util.List;

/**
 * Which tasks may start now: one whose limits have no token left waits.
 */
public interface LimitGate {

	/** Asks Redis nothing. */
	Sorted sort(List<LeasedTask> tasks);

	/** Where it is not known whether there is a token, a task waits. */
	Admission admit(List<Limited> tasks);

	/** Gives the tokens of the task back, if it has any. */
	void release(Lease lease);

	record Sorted(List<LeasedTask> unlimited, List<Limited> limited) {
	}

	record Limited(LeasedTask task, LimitClass limits) {
	}

	record Admission(List<LeasedTask> admitted, List<Outcome> refused) {
	}

}
