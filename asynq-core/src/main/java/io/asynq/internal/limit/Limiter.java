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
import io.asynq.internal.worker.Due;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.LimitClass;
import io.asynq.internal.worker.LimitGate;
import io.asynq.internal.worker.Outcome;

/**
 * Takes tokens, extends them, gives them back, and looks after waiting tasks.
 */
public final class Limiter extends PeriodicComponent implements LimitGate {

	/** Nobody who knows the limit may be left to wake a task. */
	private static final Duration LONGEST_WAIT = Duration.ofHours(1);

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

	private final Collection<String> queues;

	private final QueueRound round;

	private final Lanes lanes;

	private final LaneThreads threads;

	private final Duration heartbeat;

	private final Loops loops;

	private final PeriodicRunner extension;

	private final Map<Lease, LimitClaim> claims = new ConcurrentHashMap<>();

	private final Set<LimitClass> waiting = ConcurrentHashMap.newKeySet();

	private final Queue<LimitClass> unnoted = new ConcurrentLinkedQueue<>();

	private final Queue<LimitClaim> returned = new ConcurrentLinkedQueue<>();

	/** What is being given back; kept until Redis has taken it. */
	private final List<LimitClaim> inHand = new ArrayList<>();

	private long nextLook;

	private long nextAnnouncement;

	/**
	 * @param pending told each queue in which tasks were woken
	 */
	public Limiter(LimitRules rules, LimitStore store, QueueRound round, Lanes lanes, Collection<String> queues,
			Consumer<String> pending, Duration heartbeat, Loops loops) {
		super(ServerPhase.LIMITS, loops);
		this.rules = rules;
		this.store = store;
		this.round = round;
		this.lanes = lanes;
		this.queues = queues;
		this.tasks = new WaitingTasks(store, new QueueRound("asynq-limits", lanes), pending);
		this.threads = lanes.threads("asynq-limits");
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
			this.round.each(WorkFinder.Kind.LIMITS, this.queues,
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
		this.claims.keySet().forEach(this::remove);
		this.extension.stop(Duration.ZERO);
		// Each by itself: if Redis refuses one, the others must still be tried
		runAtStopForOutcomes(this::giveAllBack);
		runAtStopForOutcomes(this::lineUp);
	}

	@Override
	public Sorted sort(List<LeasedTask> tasks) {
		if (this.rules.areNone()) {
			return new Sorted(tasks, List.of());
		}
		List<LeasedTask> unlimited = new ArrayList<>();
		List<Limited> limited = new ArrayList<>();
		for (LeasedTask task : tasks) {
			LimitClass limits = this.rules.of(task.message());
			if (limits == null) {
				unlimited.add(task);
			}
			else {
				limited.add(new Limited(task, limits));
			}
		}
		return new Sorted(unlimited, limited);
	}

	@Override
	public Admission admit(List<Limited> tasks) {
		List<LeasedTask> admitted = new ArrayList<>();
		List<Outcome> refused = new ArrayList<>();
		List<LimitClaim> claims = tasks.stream().map(Limiter::claim).toList();
		List<Answer> answers = claims.isEmpty() ? List.of() : takeIfPossible(claims);
		for (int i = 0; i < tasks.size(); i++) {
			Limited limited = tasks.get(i);
			if (i < answers.size() && answers.get(i) == Answer.GRANTED) {
				add(limited.task().lease(), claims.get(i));
				admitted.add(limited.task());
			}
			else {
				refused.add(new Outcome.Wait(limited.task(), limited.limits(), Due.in(LONGEST_WAIT)));
			}
		}
		return new Admission(admitted, refused);
	}

	/**
	 * Returns nothing if it is not known whether tokens were taken, and gives them back;
	 * a master of the limits that hangs is waited for once.
	 */
	List<Answer> take(List<LimitClaim> claims) {
		if (!this.lanes.areSeveral()) {
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

	private static LimitClaim claim(Limited limited) {
		LeasedTask task = limited.task();
		return new LimitClaim(limited.limits(), task.message().id(), task.lease().fence(), task.woken());
	}

	private List<Answer> takeIfPossible(List<LimitClaim> claims) {
		try {
			return take(claims);
		}
		catch (Throwable ex) {
			this.loops.errors().warn("asynq-limits", ex);
			return List.of();
		}
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
		this.claims.put(lease, claim);
		if (isRunning()) {
			this.extension.start();
		}
	}

	@Override
	public void release(Lease lease) {
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
		LimitClaim claim = this.claims.remove(lease);
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
		List<LimitClaim> claims = List.copyOf(this.claims.values());
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

}
