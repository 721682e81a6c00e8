package io.asynq.server.limit;

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

import io.asynq.broker.limit.LimitClaim;
import io.asynq.broker.limit.LimitClass;
import io.asynq.broker.limit.LimitStore;
import io.asynq.broker.message.Lease;
import io.asynq.broker.work.WorkFinder;
import io.asynq.lifecycle.Loops;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.PeriodicRunner;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.server.lane.WorkRound;

/**
 * The loop that gives tokens back, extends those that are held, and looks after waiting
 * tasks now and then. While no limit applies to any task it only looks.
 */
public final class HeldTokens extends PeriodicComponent {

	private static final Duration LOOK = Duration.ofSeconds(10);

	/** Tasks of a limit that was removed from the configuration may still wait. */
	private static final Duration LOOK_WITHOUT_LIMITS = Duration.ofMinutes(1);

	private static final Duration ANNOUNCE = Duration.ofMinutes(1);

	private static final int BATCH = 256;

	private final LimitRules rules;

	private final LimitStore store;

	private final Work work;

	private final Duration heartbeat;

	private final Loops loops;

	private final PeriodicRunner extension;

	private final Map<Lease, LimitClaim> held = new ConcurrentHashMap<>();

	private final Set<LimitClass> waiting = ConcurrentHashMap.newKeySet();

	private final Queue<LimitClaim> returned = new ConcurrentLinkedQueue<>();

	/** What is being given back; kept until Redis has taken it. */
	private final List<LimitClaim> inHand = new ArrayList<>();

	private volatile boolean announced;

	private long nextLook;

	private long nextAnnouncement;

	public HeldTokens(LimitRules rules, LimitStore store, Work work, Duration heartbeat, Loops loops) {
		super(ServerPhase.LIMITS, loops);
		this.rules = rules;
		this.store = store;
		this.work = work;
		this.heartbeat = heartbeat;
		this.loops = loops;
		// In its own thread: a master of a cluster that hangs must not end tokens
		this.extension = new PeriodicRunner("asynq-limit-heartbeat", this::extend, loops.errors(), true);
	}

	@Override
	protected void starting() {
		this.rules.check();
		this.announced = false;
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
			this.work.round().each(WorkFinder.Kind.LIMITS, this.work.queues(), this::lookAfter);
			// Only now: one that has failed is still due
			this.nextLook = now + (none ? LOOK_WITHOUT_LIMITS : LOOK).toNanos();
			asked = true;
		}
		if (!asked) {
			asksNothing();
		}
		boolean done = this.returned.isEmpty() && this.waiting.isEmpty();
		return done ? Duration.ofNanos(Math.max(0, this.nextLook - System.nanoTime())) : Duration.ZERO;
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
	 * Takes tokens. Before the first ones, limits are announced: without a rule they have
	 * none.
	 */
	List<LimitStore.Taken> take(List<LimitClaim> claims) {
		if (!this.announced) {
			announce();
		}
		return this.store.take(claims);
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

	/**
	 * Has it noted that tasks wait. If this fails, they are found by a look.
	 */
	void lineUp(Collection<LimitClass> waiting) {
		this.waiting.addAll(waiting);
		wake();
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
			promoted(this.store.lineUp(found));
		}
		return !found.isEmpty();
	}

	private void announce() {
		this.store.announce(this.rules.announced());
		this.announced = true;
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

	/** Gives some tokens back. */
	private boolean giveBack() {
		synchronized (this.inHand) {
			if (!fill()) {
				return false;
			}
			promoted(this.store.release(this.inHand));
			this.inHand.clear();
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

	private void lookAfter(String queue) {
		promoted(this.store.lookAfter(queue));
	}

	private void promoted(Set<String> queues) {
		queues.forEach(this.work.pending());
	}

	/**
	 * Where it looks.
	 *
	 * @param queues queues of this server
	 * @param round visits those that have waiting tasks
	 * @param pending called with a queue that has a task pending
	 */
	public record Work(Collection<String> queues, WorkRound round, Consumer<String> pending) {
	}

}
