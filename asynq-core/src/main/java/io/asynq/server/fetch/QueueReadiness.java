package io.asynq.server.fetch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * Which queues may have tasks. A queue is marked when a task may have arrived, and
 * cleared just before it is asked, so that no arrival is missed in between. A queue that
 * was empty is to be watched, if arrivals can be announced. Safe for concurrent use.
 */
public final class QueueReadiness {

	private final Map<String, AtomicReference<State>> states;

	public QueueReadiness(Collection<String> queues) {
		this.states = queues.stream()
			.collect(Collectors.toMap((queue) -> queue, (queue) -> new AtomicReference<>(State.READY), (a, b) -> a,
					ConcurrentHashMap::new));
	}

	/**
	 * Marks a queue; an unknown one is ignored.
	 * @return whether it was not marked before
	 */
	public boolean mark(String queue) {
		AtomicReference<State> state = this.states.get(queue);
		return state != null && state.getAndSet(State.READY) != State.READY;
	}

	public void markAll() {
		this.states.values().forEach((state) -> state.set(State.READY));
	}

	void clear(String queue) {
		this.states.get(queue).set(State.ASKED);
	}

	/**
	 * Called when a queue had no more tasks; ignored if a task may have arrived since it
	 * was asked.
	 */
	void exhausted(String queue) {
		this.states.get(queue).compareAndSet(State.ASKED, State.UNWATCHED);
	}

	public boolean any() {
		return any(State.READY);
	}

	/**
	 * Returns whether a queue that was empty is not watched.
	 */
	public boolean anyUnwatched() {
		return any(State.UNWATCHED);
	}

	/**
	 * Returns the marked queues, in no order.
	 */
	List<String> marked() {
		List<String> marked = new ArrayList<>();
		this.states.forEach((queue, state) -> {
			if (state.get() == State.READY) {
				marked.add(queue);
			}
		});
		return marked;
	}

	/**
	 * Returns the queues to watch, in no order; from now on they count as watched.
	 */
	public List<String> takeUnwatched() {
		List<String> taken = new ArrayList<>();
		this.states.forEach((queue, state) -> {
			if (state.compareAndSet(State.UNWATCHED, State.WATCHED)) {
				taken.add(queue);
			}
		});
		return taken;
	}

	/**
	 * Has all queues that were empty watched again.
	 */
	public void unwatchAll() {
		this.states.values()
			.forEach((state) -> state.updateAndGet((present) -> (present == State.READY) ? present : State.UNWATCHED));
	}

	private boolean any(State wanted) {
		for (AtomicReference<State> state : this.states.values()) {
			if (state.get() == wanted) {
				return true;
			}
		}
		return false;
	}

	private enum State {

		READY, ASKED, UNWATCHED, WATCHED

	}

}
