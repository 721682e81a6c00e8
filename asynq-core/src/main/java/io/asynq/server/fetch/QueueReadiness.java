package io.asynq.server.fetch;

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
 * Which queues may have tasks. A queue is marked when a task may have arrived, and
 * cleared just before it is asked, so that no arrival is missed in between. A queue that
 * was empty is to be watched, if arrivals can be announced. Safe for concurrent use.
 */
public final class QueueReadiness {

	private final Map<String, AtomicReference<State>> states;

	private final Set<String> renewed = ConcurrentHashMap.newKeySet();

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

	/**
	 * Marks queues that another master serves now, or one that answers again: what made
	 * them rest is over.
	 */
	public void renew(Collection<String> queues) {
		this.renewed.addAll(queues);
		queues.forEach(this::mark);
	}

	Set<String> queues() {
		return this.states.keySet();
	}

	/** Returns the queues that were renewed since the last call. */
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

	/** Marks those of the queues that a condition holds for. */
	public void markIf(Predicate<String> condition) {
		this.states.keySet().stream().filter(condition).forEach(this::mark);
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
		for (AtomicReference<State> state : this.states.values()) {
			if (state.get() == State.READY) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns the queues that were empty and are not watched, in no order.
	 */
	public List<String> unwatched() {
		return in(State.UNWATCHED);
	}

	/**
	 * Returns the marked queues, in no order.
	 */
	List<String> marked() {
		return in(State.READY);
	}

	/**
	 * Takes a queue that was empty, to watch it: from now on it counts as watched.
	 * @return {@code false} if it is no longer to be watched
	 */
	public boolean takeUnwatched(String queue) {
		return this.states.get(queue).compareAndSet(State.UNWATCHED, State.WATCHED);
	}

	/**
	 * Has those of the queues that were empty and that a condition holds for watched
	 * again.
	 */
	public void unwatchIf(Predicate<String> condition) {
		this.states.forEach((queue, state) -> {
			if (condition.test(queue)) {
				state.updateAndGet((present) -> (present == State.READY) ? present : State.UNWATCHED);
			}
		});
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
