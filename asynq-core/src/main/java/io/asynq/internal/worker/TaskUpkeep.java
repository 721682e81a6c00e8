package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

public interface TaskUpkeep {

	/** Moves up to 100 tasks of each of scheduled and retry. */
	Forwarded forward(String queue);

	/** Also continues an interrupted deletion of the queue. */
	int deleteExpired(String queue, int limit);

	Duration leaseDuration();

	/** Creates no lease that Redis does not have; each object records its fate. */
	void extend(String queue, Collection<Lease> leases);

	/**
	 * A task that cannot be decoded is archived once its ended lease has not moved for a
	 * lease's length; what was observed before a gap of {@code longestGap} does not
	 * count.
	 */
	EndedLease.Page ending(String queue, Duration ahead, Duration longestGap, int offset, int limit);

	/** What the former holder reports later is ignored. */
	List<LeasedTask> claim(String queue, Collection<EndedLease> ended);

	List<String> withoutLease(String queue);

	/** Skips ids that have a lease by now; one of no length is recovered at once. */
	int attachLease(String queue, Collection<String> ids, Duration length);

	/** {@code now} is by Redis's clock, which due times go by. */
	record Forwarded(int moved, boolean more, @Nullable Instant nextDue, Instant now) {
	}

}
