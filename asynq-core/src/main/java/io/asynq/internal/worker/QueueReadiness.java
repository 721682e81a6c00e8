package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which queues to ask: one is marked when a task may have arrived, and cleared just
 * before it is asked, so that no arrival is missed in between; one that could not be
 * asked rests.
 */
public final class QueueReadiness {

	static final Duration REST = Duration.ofSeconds(1);

	private final Map<String, AtomicReference<State>> states;

	/** By queue, in nanoseconds. */
	private final Map<String, Long> restUntil = new ConcurrentHashMap<>();

	private final Set<String> renewed = ConcurrentHashMap.newKeySet();

	public QueueReadiness(Collection<String> queues) {
		this.states = queues.stream()
			.collect(Collectors.toMap((queue) -> queue, (queue) -> new AtomicReference<>(State.READY), (a, b) -> a,
					ConcurrentHashMap::new));
	}

	public boolean mark(String queue) {
		AtomicReference<State> state = this.states.get(queue);
		return state != null && state.getAndSet(State.READY) != State.READY;
	}

	/** Another master serves these queues, or theirs answers again. */
	public void renew(Collection<String> queues) {
		this.renewed.addAll(queues);
		queues.forEach(this::mark);
	}

	Set<String> queues() {
		return this.states.keySet();
	}

	Set<String> takeRenewed() {
		if (this.renewed.isEmpty()) {
			return Set.of();
		}
		Set<String> taken = Set.copyOf(this.renewed);
		this.renewed.removeAll(taken);
		return taken;
	}

	public void markAll() {
		markIf((queue) -> true);
	}

	public void markIf(Predicate<String> condition) {
		this.states.keySet().stream().filter(condition).forEach(this::mark);
	}

	void clear(String queue) {
		this.states.get(queue).set(State.ASKED);
	}

	/** Ignored if a task may have arrived since the queue was asked. */
	void exhausted(String queue) {
		this.states.get(queue).compareAndSet(State.ASKED, State.UNWATCHED);
	}

	public boolean any() {
		for (AtomicReference<State> state : this.states.values()) {
			if (state.get() == State.READY) {
				return true;
			}
		}
		return false;
	}

	public List<String> unwatched() {
		return in(State.UNWATCHED);
	}

	List<String> marked() {
		return in(State.READY);
	}

	/** From now on the queue counts as watched, unless this returns {@code false}. */
	public boolean takeUnwatched(String queue) {
		return this.states.get(queue).compareAndSet(State.UNWATCHED, State.WATCHED);
	}

	public void unwatchIf(Predicate<String> condition) {
		this.states.forEach((queue, state) -> {
			if (condition.test(queue)) {
				state.updateAndGet((present) -> (present == State.READY) ? present : State.UNWATCHED);
			}
		});
	}

	/** For longer than the failed call took, because other queues wait meanwhile. */
	void restAfter(String queue, long start) {
		long now = System.nanoTime();
		this.restUntil.put(queue, now + Math.max(REST.toNanos(), 3 * (now - start)));
	}

	void rest(Collection<String> queues, Duration time) {
		long end = System.nanoTime() + time.toNanos();
		queues.forEach((queue) -> this.restUntil.put(queue, end));
	}

	void endRest(Collection<String> queues) {
		queues.forEach(this.restUntil::remove);
	}

	boolean isResting(String queue) {
		return this.restUntil.containsKey(queue);
	}

	boolean isAnyResting() {
		return !this.restUntil.isEmpty();
	}

	/**
	 * Returns nanoseconds until the next one has rested, 0 if one was marked,
	 * {@link Long#MAX_VALUE} if none rests.
	 */
	long markRested() {
		long next = Long.MAX_VALUE;
		long now = System.nanoTime();
		for (Map.Entry<String, Long> entry : this.restUntil.entrySet()) {
			long left = entry.getValue() - now;
			if (left <= 0) {
				this.restUntil.remove(entry.getKey());
				mark(entry.getKey());
				next = 0;
			}
			else {
				next = Math.min(next, left);
			}
		}
		return next;
	}

	private List<String> in(State wanted) {
		List<String> queues = new ArrayList<>();
		this.states.forEach((queue, state) -> {
			if (state.get() == wanted) {
				queues.add(queue);
			}
		});
		return queues;
	}

	private enum State {

		READY, ASKED, UNWATCHED, WATCHED

	}

}
