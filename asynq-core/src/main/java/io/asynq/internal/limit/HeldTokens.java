package io.asynq.internal.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

import io.asynq.internal.lane.LaneCall;
import io.asynq.internal.lane.LaneThreads;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.lane.WorkFinder;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.PeriodicRunner;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.limit.LimitStore.Answer;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LimitClass;

/**
 * Gives tokens back, extends those that are held, and looks after waiting tasks.
 */
public final class HeldTokens extends PeriodicComponent {

	private static final Duration LOOK = Duration.ofSeconds(10);

	/** Tasks of a limit that was removed from the configuration may still wait. */
	private static final Duration LOOK_WITHOUT_LIMITS = Duration.ofMinutes(1);

	/** Tasks go on within a second when Redis is back. */
	private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

	private static final Duration ANNOUNCE = Duration.ofMinutes(1);

	private static final int BATCH = 256;

	private static final String LANE = "limits";

	private final LimitRules rules;

	private final LimitStore store;

	private final WaitingTasks tasks;

	private final Work work;

	private final LaneThreads threads;

	private final Duration heartbeat;

	private final Loops loops;

	private final PeriodicRunner extension;

	private final Map<Lease, LimitClaim> held = new ConcurrentHashMap<>();

	private final Set<LimitClass> waiting = ConcurrentHashMap.newKeySet();

	private final Queue<LimitClass> unnoted = new ConcurrentLinkedQueue<>();

	private final Queue<LimitClaim> returned = new ConcurrentLinkedQueue<>();

	/** What is being given back; kept until Redis has taken it. */
	private final List<LimitClaim> inHand = new ArrayList<>();

	private long nextLook;

	private long nextAnnouncement;

	public HeldTokens(LimitRules rules, LimitStore store, Work work, Duration heartbeat, Loops loops) {
		super(ServerPhase.LIMITS, loops);
		this.rules = rules;
		this.store = store;
		this.tasks = new WaitingTasks(store, new QueueRound("asynq-limits", work.lanes()), work.pending());
		this.threads = work.lanes().threads("asynq-limits");
		this.work = work;
		this.heartbeat = heartbeat;
		this.loops = loops;
		// In its own thread: a master of a cluster that hangs must not end tokens
		this.extension = new PeriodicRunner("asynq-limit-heartbeat", this::extend, loops.errors(), true);
	}

	@Override
	protected void starting() {
		this.rules.check();
		if (!this.rules.areNone()) {
			longestPauseAfterError(LONGEST_PAUSE);
		}
		long now = System.nanoTime();
		this.nextAnnouncement = now;
		this.nextLook = now;
	}

	@Override
	protected Duration runOnce() {
		boolean none = this.rules.areNone();
		long now = System.nanoTime();
		if (!none && now - this.nextAnnouncement >= 0) {
			announce();
			this.nextAnnouncement = now + ANNOUNCE.toNanos();
		}
		boolean asked = giveBack() | lineUp();
		if (now - this.nextLook >= 0) {
			long next = now + (none ? LOOK_WITHOUT_LIMITS : LOOK).toNanos();
			if (none) {
				// Nobody waits for a look that fails
				this.nextLook = next;
			}
			this.tasks.look(true, next);
			this.work.round()
				.each(WorkFinder.Kind.LIMITS, this.work.queues(),
						(queue) -> this.unnoted.addAll(this.store.unnoted(queue)));
			note();
			this.tasks.sweep();
			// Otherwise only now: one that has failed is still due
			this.nextLook = next;
			asked = true;
		}
		else if (now - this.tasks.nextLook() >= 0) {
			this.tasks.look(false, this.nextLook);
			asked = true;
		}
		if (!asked) {
			asksNothing();
		}
		boolean done = this.returned.isEmpty() && this.waiting.isEmpty();
		return done ? Duration.ofNanos(Math.max(0, this.tasks.nextLook() - System.nanoTime())) : Duration.ZERO;
	}

	@Override
	protected void stopped() {
		// Handlers that still run have been interrupted, and their tasks are pending
		// again
		this.held.keySet().forEach(this::remove);
		this.extension.stop(Duration.ZERO);
		// Each by itself: if Redis refuses one, the others must still be tried
		runAtStopForOutcomes(this::giveAllBack);
		runAtStopForOutcomes(this::lineUp);
	}

	/**
	 * Returns nothing if it is not known whether tokens were taken, and gives them back;
	 * a master of the limits that hangs is waited for once.
	 */
	List<Answer> take(List<LimitClaim> claims) {
		if (!this.work.lanes().areSeveral()) {
			return takeOrGiveBack(claims);
		}
		if (this.threads.isBusy(LANE)) {
			return List.of();
		}
		LaneCall<List<Answer>> call = new LaneCall<>(() -> takeOrGiveBack(claims), (late, error) -> {
			if (late != null) {
				giveBack(claims);
			}
		});
		call.make(this.threads, LANE);
		return call.leave() ? List.of() : call.answer();
	}

	/** Limits that Redis does not know are announced. */
	private List<Answer> takeOrGiveBack(List<LimitClaim> claims) {
		List<Answer> answers = null;
		try {
			List<Answer> first = this.store.take(claims);
			if (first.contains(Answer.UNKNOWN)) {
				announce();
				first = this.store.take(claims);
			}
			answers = first;
			return answers;
		}
		finally {
			if (answers == null) {
				giveBack(claims);
			}
		}
	}

	private void giveBack(List<LimitClaim> claims) {
		this.returned.addAll(claims);
		wake();
	}

	void add(Lease lease, LimitClaim claim) {
		this.held.put(lease, claim);
		if (isRunning()) {
			this.extension.start();
		}
	}

	void release(Lease lease) {
		if (remove(lease)) {
			wake();
		}
	}

	/** If this fails, the waiting task is found by a look. */
	public void lineUp(LimitClass limits) {
		if (this.waiting.add(limits)) {
			wake();
		}
	}

	private boolean lineUp() {
		List<LimitClass> found = new ArrayList<>();
		for (LimitClass each : this.waiting) {
			// Before the call: more of them may begin to wait meanwhile
			if (found.size() < BATCH && this.waiting.remove(each)) {
				found.add(each);
			}
		}
		if (!found.isEmpty()) {
			LimitTurns turns = null;
			try {
				turns = this.store.lineUp(found);
			}
			finally {
				if (turns == null) {
					this.waiting.addAll(found);
				}
			}
			this.tasks.wake(turns);
		}
		return !found.isEmpty();
	}

	private void announce() {
		this.store.announce(this.rules.announced());
	}

	private boolean remove(Lease lease) {
		LimitClaim claim = this.held.remove(lease);
		return claim != null && this.returned.add(claim);
	}

	private void giveAllBack() {
		boolean any = true;
		while (any) {
			any = giveBack();
		}
	}

	private boolean giveBack() {
		synchronized (this.inHand) {
			if (!fill()) {
				return false;
			}
			LimitTurns turns = this.store.release(this.inHand);
			this.inHand.clear();
			this.tasks.wake(turns);
			return true;
		}
	}

	private boolean fill() {
		LimitClaim next = null;
		while (this.inHand.size() < BATCH && (next = this.returned.poll()) != null) {
			this.inHand.add(next);
		}
		return !this.inHand.isEmpty();
	}

	private Duration extend() {
		List<LimitClaim> claims = List.copyOf(this.held.values());
		for (int from = 0; from < claims.size(); from += BATCH) {
			this.store.extend(claims.subList(from, Math.min(from + BATCH, claims.size())));
		}
		return this.heartbeat;
	}

	private void note() {
		List<LimitClass> found = new ArrayList<>();
		LimitClass next = null;
		while ((next = this.unnoted.poll()) != null) {
			found.add(next);
		}
		if (!found.isEmpty()) {
			this.tasks.wake(this.store.note(found));
		}
	}

	public record Work(Collection<String> queues, QueueRound round, Lanes lanes, Consumer<String> pending) {
	}

}
