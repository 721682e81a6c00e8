package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.LaneThreads;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.server.TaskWaitListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Used by one thread at a time, but any thread may mark arrivals.
 */
public final class TaskFetcher {

	private static final Logger logger = OneLineLogger.of(TaskFetcher.class);

	/** Almost exactly by weight, as it is one call all the same. */
	private static final int SHARES_OF_ONE_CALL = 32;

	private final TaskDequeuer dequeuer;

	private final QueueSelector selector;

	private final QueueReadiness readiness;

	private final ActiveTasks active;

	private final ServerCounters counters;

	private final TaskWaitListener waits;

	private final Lanes lanes;

	private final LaneCalls laneCalls;

	private final LaneThreads givingBack;

	/** Used by the processor's thread only. */
	private long nextGiveBackNanos = System.nanoTime();

	/** How many tasks each queue has at least, as far as known; for one thread. */
	private final Map<String, Long> known = new HashMap<>();

	private final Set<String> paused = new HashSet<>();

	private final FetchPace pace = new FetchPace(System::nanoTime);

	private final Runnable processor;

	public TaskFetcher(TaskDequeuer dequeuer, QueueSelector selector, QueueReadiness readiness, ActiveTasks active,
			ServerCounters counters, TaskWaitListener waits, Lanes lanes, Runnable processor) {
		this.dequeuer = dequeuer;
		this.selector = selector;
		this.readiness = readiness;
		this.active = active;
		this.counters = counters;
		this.waits = waits;
		this.lanes = lanes;
		this.processor = processor;
		this.laneCalls = new LaneCalls(lanes, readiness, processor);
		this.givingBack = lanes.threads("asynq-processor");
	}

	public QueueReadiness readiness() {
		return this.readiness;
	}

	/** Safe to call from any thread. */
	public void rest(String queue) {
		this.readiness.rest(List.of(queue), QueueReadiness.REST);
		this.processor.run();
	}

	/** The next fetch of a queue whose answer was lost may be long in coming. */
	public void giveBackLost() {
		if (!this.lanes.areSeveral()) {
			giveBackLost((queue) -> true);
			return;
		}
		// In parallel with the fetches: a node that has taken them may hang
		long now = System.nanoTime();
		if (now - this.nextGiveBackNanos >= 0) {
			this.nextGiveBackNanos = now + QueueReadiness.REST.toNanos();
			Map<String, Runnable> work = new HashMap<>();
			this.lanes.of(this.readiness.queues())
				.forEach((lane, its) -> work.put(lane, () -> giveBackLost(its::contains)));
			this.givingBack.run(work);
		}
	}

	private void giveBackLost(Predicate<String> queues) {
		this.dequeuer.giveBackLost(queues).forEach(this.readiness::mark);
	}

	/** Call it in the thread that fetches. */
	public void returned(String queue, int tasks) {
		this.selector.taken(queue, -tasks);
	}

	/**
	 * Tasks that are fetched ahead come along in the same calls, but cause at most one.
	 * @param late takes tasks of a cluster node that was not awaited, in another thread
	 */
	public int fetch(int idle, int ahead, Consumer<List<LeasedTask>> sink, Consumer<List<LeasedTask>> late) {
		this.readiness.endRest(this.readiness.takeRenewed());
		int taken = 0;
		int mayCall = this.pace.begin();
		int calls = 0;
		Collection<String> candidates = this.readiness.marked();
		candidates.removeIf(this::isResting);
		boolean inTurns = candidates.size() > 1 && this.lanes.areSeveral();
		int more = inTurns ? Math.max(0, Math.min(ahead, QueueSelector.LARGEST_BATCH - idle)) : ahead;
		while (!candidates.isEmpty() && (taken < idle || calls == 0 && more > 0)) {
			int shares = Math.max(1, mayCall - calls);
			int most = idle + more - taken;
			int direct = Math.max(0, idle - taken);
			// A plan for more than a call takes would cut off its last queue only
			int ofCall = Math.min(most, TaskDequeuer.MOST_TASKS);
			List<QueueShare> several = several(ofCall, shares, candidates);
			calls++;
			taken += (several.size() > 1) ? take(several, ofCall, Math.min(direct, ofCall), candidates, sink)
					: take(this.selector.next(most, shares, candidates), direct, candidates, sink, late);
			candidates.removeIf(this::isResting);
		}
		this.pace.end(calls);
		return taken;
	}

	/** Call it in the thread that fetches. */
	public long backlog() {
		return this.readiness.marked()
			.stream()
			.mapToLong((queue) -> this.known.getOrDefault(queue, 0L))
			.min()
			.orElse(0);
	}

	/** Call it in the thread that fetches. */
	public Set<String> paused() {
		return this.paused;
	}

	private List<QueueShare> several(int idle, int shares, Collection<String> candidates) {
		if (candidates.size() == 1 || this.lanes.areSeveral()) {
			return List.of();
		}
		int among = this.dequeuer.takesSeveralInOneCall() ? Math.max(shares, SHARES_OF_ONE_CALL) : shares;
		return this.selector.plan(idle, among, candidates, (queue) -> this.known.getOrDefault(queue, 0L));
	}

	private int take(List<QueueShare> shares, int most, int direct, Collection<String> candidates,
			Consumer<List<LeasedTask>> sink) {
		List<String> queues = shares.stream().map(QueueShare::queue).toList();
		queues.forEach(this.readiness::clear);
		long start = System.nanoTime();
		List<TaskDequeuer.Answer> answers = List.of();
		boolean answered = false;
		try {
			answers = this.dequeuer.dequeue(shares, most, most - direct);
			answered = true;
		}
		finally {
			if (!answered) {
				this.counters.dequeuesFailed.increment();
			}
			// Those that were not reached may have tasks
			Set<String> reached = answers.stream().map(TaskDequeuer.Answer::queue).collect(Collectors.toSet());
			queues.stream().filter((queue) -> !reached.contains(queue)).forEach(this.readiness::mark);
		}
		noteTaken(answers);
		return take(answers, start, candidates, sink);
	}

	/** First of all, so that no task is lost on its way, whatever a listener throws. */
	private void noteTaken(List<TaskDequeuer.Answer> answers) {
		for (TaskDequeuer.Answer answer : answers) {
			if (answer.dequeued() != null) {
				this.active.taken(answer.dequeued().tasks());
			}
		}
		for (TaskDequeuer.Answer answer : answers) {
			if (answer.dequeued() != null) {
				tellWait(answer.queue(), answer.dequeued());
			}
			else {
				this.counters.dequeuesFailed.increment();
			}
		}
	}

	private void tellWait(String queue, Dequeued dequeued) {
		Duration waited = dequeued.waited();
		if (waited != null) {
			// Nothing may come between a task and its worker
			UserCode.run(() -> this.waits.onTaskTaken(queue, waited),
					(shown) -> logger.error("TaskWaitListener failed for queue {}", queue, shown));
		}
	}

	/** All tasks run together, so that queues take turns from the first on. */
	private int take(List<TaskDequeuer.Answer> answers, long start, Collection<String> candidates,
			Consumer<List<LeasedTask>> sink) {
		List<String> queues = new ArrayList<>();
		List<LeasedTask> tasks = new ArrayList<>();
		List<TaskDequeuer.Answer> failed = new ArrayList<>();
		this.selector.settle(answers.stream().filter(TaskFetcher::isThere).map(TaskDequeuer.Answer::queue).toList(),
				candidates);
		for (TaskDequeuer.Answer answer : answers) {
			if (answer.dequeued() == null) {
				failed.add(answer);
				continue;
			}
			note(answer.queue(), answer.dequeued(), candidates);
			queues.add(answer.queue());
			tasks.addAll(answer.dequeued().tasks());
		}
		try {
			failed(failed, start, candidates);
		}
		finally {
			// Whatever was thrown, the tasks of the other queues are active
			accept(sink, queues, tasks);
		}
		return tasks.size();
	}

	private static boolean isThere(TaskDequeuer.Answer answer) {
		return answer.dequeued() != null && isThere(answer.dequeued());
	}

	/** One that has only given broken entries is there as well. */
	private static boolean isThere(Dequeued dequeued) {
		return !dequeued.tasks().isEmpty() || !dequeued.exhausted();
	}

	private void failed(List<TaskDequeuer.Answer> answers, long start, Collection<String> candidates) {
		if (answers.isEmpty()) {
			return;
		}
		TaskDequeuer.Answer first = answers.get(0);
		leave(first.queue(), candidates);
		try {
			failed(first.queue(), Objects.requireNonNull(first.error()), start);
		}
		finally {
			failed(answers.subList(1, answers.size()), start, candidates);
		}
	}

	private int take(QueueShare share, int direct, Collection<String> candidates, Consumer<List<LeasedTask>> sink,
			Consumer<List<LeasedTask>> late) {
		Dequeued dequeued = dequeue(share, direct, late);
		if (dequeued == null) {
			leave(share.queue(), candidates);
			return 0;
		}
		if (isThere(dequeued)) {
			this.selector.settle(List.of(share.queue()), candidates);
		}
		note(share.queue(), dequeued, candidates);
		accept(sink, List.of(share.queue()), dequeued.tasks());
		return dequeued.tasks().size();
	}

	private void note(String queue, Dequeued dequeued, Collection<String> candidates) {
		int taken = dequeued.tasks().size();
		this.known.put(queue, dequeued.left());
		notePause(queue, dequeued.paused());
		// A queue that gives only broken entries must not delay the others
		this.selector.taken(queue, dequeued.exhausted() ? taken : Math.max(1, taken));
		if (dequeued.exhausted()) {
			leave(queue, candidates);
			this.readiness.exhausted(queue);
		}
		else {
			this.readiness.mark(queue);
		}
	}

	private void leave(String queue, Collection<String> candidates) {
		candidates.remove(queue);
		this.selector.absent(queue);
	}

	private void notePause(String queue, boolean isPaused) {
		if (isPaused) {
			this.paused.add(queue);
		}
		else {
			this.paused.remove(queue);
		}
	}

	/** It may be marked again meanwhile, so it is cleared first and checked once more. */
	private boolean isResting(String queue) {
		if (!this.readiness.isResting(queue)) {
			return false;
		}
		this.readiness.clear(queue);
		this.selector.absent(queue);
		return this.readiness.isResting(queue);
	}

	private void accept(Consumer<List<LeasedTask>> sink, List<String> queues, List<LeasedTask> tasks) {
		try {
			sink.accept(tasks);
		}
		catch (Throwable ex) {
			// Tasks that were not accepted went back
			queues.forEach(this.readiness::mark);
			throw ex;
		}
	}

	private @Nullable Dequeued dequeue(QueueShare share, int direct, Consumer<List<LeasedTask>> late) {
		String queue = share.queue();
		this.readiness.clear(queue);
		long start = System.nanoTime();
		try {
			return this.lanes.areSeveral() ? this.laneCalls.call(queue, () -> ask(share, direct), late)
					: ask(share, direct);
		}
		catch (BrokerException ex) {
			return failed(queue, ex, start);
		}
	}

	/** It must neither delay the others nor be asked again and again. */
	private @Nullable Dequeued failed(String queue, BrokerException error, long start) {
		if (error instanceof BrokerUnavailableException) {
			this.readiness.mark(queue);
			throw error;
		}
		this.lanes.errors().warn("asynq-processor", error);
		this.readiness.restAfter(queue, start);
		return null;
	}

	private Dequeued ask(QueueShare share, int direct) {
		Dequeued dequeued = null;
		try {
			dequeued = this.dequeuer.dequeue(share.queue(), share.max(), Math.max(0, share.max() - direct));
		}
		finally {
			if (dequeued == null) {
				this.counters.dequeuesFailed.increment();
			}
		}
		this.active.taken(dequeued.tasks());
		tellWait(share.queue(), dequeued);
		return dequeued;
	}

}
