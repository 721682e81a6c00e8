package io.asynq.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The tasks of this server, by queue and id: the same id may be active in two queues. A
 * task is <em>held</em> from its dequeue until its outcome has been taken, so that its
 * lease is kept alive; its handler is <em>running</em> until its thread is free again,
 * which may be earlier or later, and whoever concludes its attempt is done. Safe for
 * concurrent use.
 */
final class ActiveTasks {

	private final ConcurrentMap<Key, Attempt> held = new ConcurrentHashMap<>();

	private final Set<Attempt> running = ConcurrentHashMap.newKeySet();

	/**
	 * Says that an attempt is about to run.
	 * @param attempt the attempt
	 */
	void add(Attempt attempt) {
		hold(attempt);
		this.running.add(attempt);
	}

	/**
	 * Has the lease kept alive until the outcome has been taken.
	 * @param attempt the attempt
	 */
	void hold(Attempt attempt) {
		this.held.put(Key.of(attempt), attempt);
	}

	/**
	 * Says that the attempt's slot is free again.
	 * @param attempt the attempt
	 */
	void returned(Attempt attempt) {
		this.running.remove(attempt);
		if (this.running.isEmpty()) {
			synchronized (this.running) {
				this.running.notifyAll();
			}
		}
	}

	/**
	 * Says that nothing more is to be written about the attempt.
	 * @param attempt the attempt; a later one of the same task stays
	 */
	void release(Attempt attempt) {
		this.held.remove(Key.of(attempt), attempt);
	}

	Collection<Attempt> held() {
		return this.held.values();
	}

	Collection<Attempt> running() {
		return this.running;
	}

	boolean holds(String queue, String id) {
		return this.held.containsKey(new Key(queue, id));
	}

	/**
	 * Finds the attempts that a cancellation means: it names an id, but no queue.
	 * @param id the id
	 * @return the attempts
	 */
	List<Attempt> withId(String id) {
		List<Attempt> found = new ArrayList<>();
		for (Attempt attempt : this.held.values()) {
			if (attempt.taskId().equals(id)) {
				found.add(attempt);
			}
		}
		return found;
	}

	/**
	 * Waits until no handler runs.
	 * @param timeout how long at most
	 * @return whether none runs
	 */
	boolean awaitNoneRunning(Duration timeout) {
		long end = System.nanoTime() + timeout.toNanos();
		synchronized (this.running) {
			while (!this.running.isEmpty()) {
				long millis = (end - System.nanoTime()) / 1_000_000;
				if (millis <= 0) {
					return false;
				}
				try {
					this.running.wait(millis);
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
					return false;
				}
			}
		}
		return true;
	}

	private record Key(String queue, String id) {

		static Key of(Attempt attempt) {
			return new Key(attempt.queue(), attempt.taskId());
		}

	}

}
