package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.asynq.internal.lane.LaneThreads;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.ServerPhase;

/**
 * Resends every second until the leases end what did not reach Redis; on a cluster, a
 * master that hangs does not delay the outcomes of the others.
 */
public final class Syncer extends PeriodicComponent {

	private static final Duration RESEND_INTERVAL = Duration.ofSeconds(1);

	private static final Duration IDLE = Duration.ofHours(1);

	private static final int BATCH = 256;

	private final OutcomeSender sender;

	private final Lanes lanes;

	private final LaneThreads threads;

	private final LoopErrorLog errors;

	private final Deque<PendingOutcome> unsent = new ArrayDeque<>();

	private final AtomicInteger backlog = new AtomicInteger();

	public Syncer(OutcomeSender sender, Lanes lanes, Loops loops) {
		super(ServerPhase.SYNCER, loops);
		this.lanes = lanes;
		this.threads = lanes.threads("asynq-syncer");
		this.sender = sender;
		this.errors = loops.errors();
	}

	public int backlog() {
		return this.backlog.get();
	}

	void takeOver(OutcomeSender.Unsent left) {
		if (left.outcomes().isEmpty()) {
			return;
		}
		if (left.reason() != null) {
			this.errors.warn(left.outcomes().size() + " outcomes could not be written and will be resent",
					left.reason());
		}
		this.backlog.addAndGet(left.outcomes().size());
		putBack(left.outcomes());
		wake();
	}

	@Override
	protected Duration runOnce() {
		// Before anything is taken, which an error would lose
		if (!this.lanes.areSeveral()) {
			return sendAll(take((pending) -> true)) ? IDLE : RESEND_INTERVAL;
		}
		Set<String> queues = queues();
		if (queues.isEmpty() && !this.threads.anyBusy()) {
			return IDLE;
		}
		// Each thread takes what is its own: one that cannot be started has taken nothing
		Map<String, Runnable> work = new LinkedHashMap<>();
		this.lanes.of(queues)
			.forEach((lane, its) -> work.put(lane,
					() -> sendAll(take((pending) -> its.contains(pending.attempt().queue())))));
		this.threads.run(work);
		return RESEND_INTERVAL;
	}

	@Override
	protected void stopped() {
		runAtStopForOutcomes(this::runOnce);
		for (PendingOutcome pending : take((any) -> true)) {
			this.backlog.decrementAndGet();
			this.sender.drop(pending, "Redis could not be reached before the server stopped; "
					+ "the task will be recovered when its lease has expired");
		}
	}

	private boolean sendAll(List<PendingOutcome> outcomes) {
		int sent = 0;
		try {
			while (sent < outcomes.size()) {
				int to = Math.min(sent + BATCH, outcomes.size());
				List<PendingOutcome> left = this.sender.send(outcomes.subList(sent, to)).outcomes();
				this.backlog.addAndGet(left.size() - (to - sent));
				sent = to;
				if (!left.isEmpty()) {
					putBack(left);
					return false;
				}
			}
			return true;
		}
		finally {
			putBack(outcomes.subList(sent, outcomes.size()));
		}
	}

	private Set<String> queues() {
		synchronized (this.unsent) {
			return this.unsent.stream()
				.map((pending) -> pending.attempt().queue())
				.collect(Collectors.toCollection(LinkedHashSet::new));
		}
	}

	private List<PendingOutcome> take(Predicate<PendingOutcome> condition) {
		synchronized (this.unsent) {
			List<PendingOutcome> taken = this.unsent.stream().filter(condition).toList();
			this.unsent.removeIf(condition);
			return taken;
		}
	}

	private void putBack(List<PendingOutcome> outcomes) {
		synchronized (this.unsent) {
			this.unsent.addAll(outcomes);
		}
	}

}
