package io.asynq.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * Which queues may have something to give. A queue is marked when something may have
 * arrived and cleared just before it is asked, so no arrival is missed in between. One
 * that had nothing is to be watched, if arrivals can be told. Safe for concurrent use.
 */
final class QueueReadiness {

	private final Map<String, AtomicReference<State>> states;

	QueueReadiness(Collection<String> queues) {
		this.states = queues.stream()
			.collect(Collectors.toMap((queue) -> queue, (queue) -> new AtomicReference<>(State.READY), (a, b) -> a,
					ConcurrentHashMap::new));
	}

	/**
	 * Marks a queue.
	 * @param queue the queue; an unknown one is ignored
	 * @return whether that is news
	 */
	boolean mark(String queue) {
		AtomicReference<State> state = this.states.get(queue);
		return state != null && state.getAndSet(State.READY) != State.READY;
	}

	void markAll() {
		this.states.values().forEach((state) -> state.set(State.READY));
	}

	void clear(String queue) {
		this.states.get(queue).set(State.ASKED);
	}

	/**
	 * Says that a queue had nothing more to give, unless something has arrived since it
	 * was asked.
	 * @param queue the queue
	 */
	void exhausted(String queue) {
		this.states.get(queue).compareAndSet(State.ASKED, State.UNWATCHED);
	}

	boolean any() {
		return any(State.READY);
	}

	/**
	 * Returns whether a queue that had nothing is not watched.
	 * @return whether there is one
	 */
	boolean anyUnwatched() {
		return any(State.UNWATCHED);
	}

	/**
	 * Lists the marked queues.
	 * @return their names, in no order
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
	 * Takes the queues that are to be watched; from now on they count as watched.
	 * @return their names, in no order
	 */
	List<String> takeUnwatched() {
		List<String> taken = new ArrayList<>();
		this.states.forEach((queue, state) -> {
			if (state.compareAndSet(State.UNWATCHED, State.WATCHED)) {
				taken.add(queue);
			}
		});
		return taken;
	}

	/**
	 * Has all queues watched again that had nothing.
	 */
	void unwatchAll() {
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
