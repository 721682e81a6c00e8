package io.asynq.server;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.Dequeued;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.QueueWeights;
import io.asynq.broker.TaskDequeuer;
import io.asynq.lifecycle.LoopErrorLog;
import org.jspecify.annotations.Nullable;

/**
 * Fills idle workers from the queues that may have tasks. Used by one thread at a time;
 * arrivals may be marked by any.
 */
final class TaskFetcher {

	/** How long at least a queue is left alone that could not be asked. */
	private static final Duration REST = Duration.ofSeconds(1);

	/** Ends with the call that is on its way, however long its driver tries. */
	private static final Duration UNTIL_ANSWERED = Duration.ofHours(1);

	/** Of a queue that is another server's turn: it rests like any without budget. */
	private static final Dequeued NOT_ASKED = new Dequeued(List.of(), false);

	private final TaskDequeuer dequeuer;

	private final QueueSelector selector;

	private final QueueReadiness readiness;

	private final Lanes lanes;

	private final LaneThreads laneThreads;

	private final LaneThreads givingBack;

	/** Used by the processor's thread. */
	private long nextGiveBackNanos = System.nanoTime();

	private final LoopErrorLog errors;

	/** Queues that could not be asked, with the nano time until which they rest. */
	private final Map<String, Long> resting = new ConcurrentHashMap<>();

	/** Queues from which so much was postponed that they have to wait. */
	private final Set<String> overBudget = ConcurrentHashMap.newKeySet();

	private final PostponeBudget budget;

	private final FetchPace pace = new FetchPace(System::nanoTime);

	private volatile Runnable onRestEnded = () -> {
	};

	TaskFetcher(TaskDequeuer dequeuer, QueueWeights queues, PostponeBudget budget, Lanes lanes, LoopErrorLog errors) {
		this.budget = budget;
		budget.onEarned(this::earned);
		this.dequeuer = dequeuer;
		this.selector = new QueueSelector(queues);
		this.readiness = new QueueReadiness(queues.weights().keySet());
		this.lanes = lanes;
		this.laneThreads = new LaneThreads("asynq-processor", lanes.threads(), errors);
		this.givingBack = new LaneThreads("asynq-processor", lanes.threads(), errors);
		this.errors = errors;
	}

	QueueReadiness readiness() {
		return this.readiness;
	}

	/**
	 * Sets what is to happen when a queue has rested sooner than {@link #markRested()}
	 * said, because a task that was worked on has made room for another.
	 * @param action called by workers
	 */
	void onRestEnded(Runnable action) {
		this.onRestEnded = action;
	}

	/**
	 * Marks queues again that were left alone for a while, because they could not be
	 * asked or gave what had to be postponed. May be called by any thread.
	 * @return nanoseconds until there is another one to mark, 0 if one was marked,
	 * {@link Long#MAX_VALUE} if there is none
	 */
	long markRested() {
		long next = Long.MAX_VALUE;
		long now = System.nanoTime();
		for (Map.Entry<String, Long> entry : this.resting.entrySet()) {
			long left = entry.getValue() - now;
			if (left <= 0) {
				this.resting.remove(entry.getKey());
				this.readiness.mark(entry.getKey());
				next = 0;
			}
			else {
				next = Math.min(next, left);
			}
		}
		for (String queue : this.overBudget) {
			long left = this.budget.nanosUntilNext(queue);
			if (left <= 0) {
				withinBudget(queue);
				next = 0;
			}
			else {
				next = Math.min(next, left);
			}
		}
		return next;
	}

	/**
	 * Gives back what was taken by fetches whose answers were lost: until the next fetch
	 * of the queue it may be long.
	 */
	void giveBackLost() {
		if (!this.lanes.areSeveral()) {
			giveAllBack();
			return;
		}
		// Beside the fetches: the node that took them may hang
		long now = System.nanoTime();
		if (now - this.nextGiveBackNanos >= 0) {
			this.nextGiveBackNanos = now + REST.toNanos();
			this.givingBack.run(Map.of("lost", this::giveAllBack));
		}
	}

	private void giveAllBack() {
		this.dequeuer.giveBackLost().forEach(this.readiness::mark);
	}

	boolean anyResting() {
		return !this.resting.isEmpty() || !this.overBudget.isEmpty();
	}

	/**
	 * Takes as many tasks as there are idle workers, or all there are: from one queue at
	 * a time, the credit decides which is next. What an empty or paused queue leaves goes
	 * to the others.
	 * @param workers how many idle workers there are
	 * @param sink takes the tasks, by queue, as they come
	 * @param late takes tasks of a cluster's node that was not waited for, when they
	 * come, in another thread
	 */
	void fetch(int workers, BiConsumer<String, List<LeasedTask>> sink, BiConsumer<String, List<LeasedTask>> late) {
		int idle = workers;
		int mayCall = this.pace.begin();
		int calls = 0;
		Collection<String> candidates = this.readiness.marked();
		candidates.removeIf(this::isResting);
		while (idle > 0 && !candidates.isEmpty()) {
			QueueSelector.Share share = this.selector.next(idle, Math.max(1, mayCall - calls), candidates);
			calls++;
			idle -= take(share, candidates, sink, late);
			candidates.removeIf(this::isResting);
		}
		this.pace.end(calls);
	}

	private int take(QueueSelector.Share share, Collection<String> candidates,
			BiConsumer<String, List<LeasedTask>> sink, BiConsumer<String, List<LeasedTask>> late) {
		String queue = share.queue();
		Dequeued dequeued = dequeue(queue, share.workers(), late);
		if (dequeued == null) {
			candidates.remove(queue);
			return 0;
		}
		int taken = dequeued.tasks().size();
		this.budget.taken(queue, taken);
		// What gives nothing but broken entries must not keep the others waiting
		this.selector.taken(queue, dequeued.exhausted() ? taken : Math.max(1, taken));
		accept(sink, queue, dequeued.tasks());
		if (dequeued.exhausted()) {
			candidates.remove(queue);
			this.readiness.exhausted(queue);
		}
		else {
			this.readiness.mark(queue);
		}
		return taken;
	}

	/**
	 * Leaves a queue alone for longer than it took to fail: others wait meanwhile.
	 */
	private void rest(String queue, long start) {
		long now = System.nanoTime();
		this.resting.put(queue, now + Math.max(REST.toNanos(), 3 * (now - start)));
	}

	private void earned(String queue) {
		if (withinBudget(queue)) {
			this.onRestEnded.run();
		}
	}

	private boolean withinBudget(String queue) {
		boolean rested = this.overBudget.remove(queue);
		if (rested) {
			this.readiness.mark(queue);
		}
		return rested;
	}

	/**
	 * A queue that rests is marked again when it has rested, which may be while it is
	 * cleared here: so it is cleared first, and looked at once more.
	 */
	private boolean isResting(String queue) {
		if (!this.resting.containsKey(queue) && this.budget.limit(queue) >= 1) {
			return false;
		}
		this.readiness.clear(queue);
		if (this.resting.containsKey(queue)) {
			return true;
		}
		this.overBudget.add(queue);
		if (this.budget.limit(queue) >= 1) {
			withinBudget(queue);
			return false;
		}
		return true;
	}

	private void accept(BiConsumer<String, List<LeasedTask>> sink, String queue, List<LeasedTask> tasks) {
		boolean accepted = false;
		try {
			sink.accept(queue, tasks);
			accepted = true;
		}
		finally {
			if (!accepted) {
				// What was not taken went back
				this.readiness.mark(queue);
			}
		}
	}

	private @Nullable Dequeued dequeue(String queue, int idle, BiConsumer<String, List<LeasedTask>> late) {
		this.readiness.clear(queue);
		long start = System.nanoTime();
		try {
			return this.lanes.areSeveral() ? askInLane(queue, idle, late) : ask(queue, idle);
		}
		catch (BrokerUnavailableException ex) {
			this.readiness.mark(queue);
			throw ex;
		}
		catch (BrokerException ex) {
			// One queue that cannot be asked must not keep the others waiting, nor be
			// asked
			// again and again because it has tasks
			this.errors.warn("asynq-processor", ex);
			rest(queue, start);
			return null;
		}
	}

	private Dequeued ask(String queue, int idle) {
		int max = Math.min(idle, this.budget.claim(queue));
		return (max > 0) ? this.dequeuer.dequeue(queue, max) : NOT_ASKED;
	}

	/**
	 * Asks a queue, but does not wait longer than others bear. Until its node answers,
	 * all queues of that node rest.
	 */
	private @Nullable Dequeued askInLane(String queue, int idle, BiConsumer<String, List<LeasedTask>> late) {
		String lane = this.lanes.of(queue);
		if (this.laneThreads.isBusy(lane)) {
			rest(List.of(queue), REST);
			return null;
		}
		Collection<String> its = this.lanes.sharingWith(queue);
		LaneCall<Dequeued> call = new LaneCall<>(() -> ask(queue, idle), (answer, error) -> {
			ended(lane, its, error);
			if (answer != null && !answer.tasks().isEmpty()) {
				this.budget.taken(queue, answer.tasks().size());
				late.accept(queue, answer.tasks());
			}
		});
		call.make(this.laneThreads, lane);
		if (call.isAwaited()) {
			rest(its, UNTIL_ANSWERED);
			if (call.leave()) {
				return null;
			}
			its.forEach(this.resting::remove);
		}
		try {
			Dequeued answer = call.answer();
			this.lanes.answered(lane);
			return answer;
		}
		catch (BrokerUnavailableException ex) {
			unreachable(lane, its, ex);
			return null;
		}
	}

	/**
	 * A node that was not waited for has answered, or its driver has given up.
	 */
	private void ended(String lane, Collection<String> queues, @Nullable RuntimeException error) {
		if (error instanceof BrokerUnavailableException unavailable) {
			unreachable(lane, queues, unavailable);
		}
		else {
			if (error != null) {
				this.errors.warn("asynq-processor", error);
			}
			this.lanes.answered(lane);
			rest(queues, Duration.ZERO);
		}
		this.onRestEnded.run();
	}

	private void unreachable(String lane, Collection<String> queues, BrokerUnavailableException error) {
		if (lane.equals(Lanes.UNKNOWN)) {
			this.errors.warn("asynq-processor", error);
		}
		this.lanes.failed(lane, error);
		rest(queues, REST);
	}

	private void rest(Collection<String> queues, Duration time) {
		long until = System.nanoTime() + time.toNanos();
		queues.forEach((queue) -> this.resting.put(queue, until));
	}

}
