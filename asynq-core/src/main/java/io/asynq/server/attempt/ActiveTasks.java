package io.asynq.server.attempt;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The tasks of this server, by queue and id (the same id may be active in two queues). A
 * task is <em>held</em> from its dequeue until Redis has taken its outcome, so that its
 * lease is renewed meanwhile. It is <em>running</em> until every thread has left its
 * attempt, which may be earlier or later. Safe for concurrent use.
 */
public final class ActiveTasks {

	private final ConcurrentMap<Key, Attempt> held = new ConcurrentHashMap<>();

	private final Set<Attempt> running = ConcurrentHashMap.newKeySet();

	/**
	 * Adds an attempt that is about to run.
	 * @param slot releases its slot when it no longer runs
	 */
	public void add(Attempt attempt, Attempt.Slot slot) {
		attempt.occupy(() -> {
			returned(attempt);
			slot.release();
		});
		hold(attempt);
		this.running.add(attempt);
	}

	/**
	 * Keeps the lease renewed until {@link #release}.
	 */
	public void hold(Attempt attempt) {
		this.held.put(Key.of(attempt), attempt);
	}

	/**
	 * Removes an attempt from the running ones.
	 */
	public void returned(Attempt attempt) {
		this.running.remove(attempt);
		if (this.running.isEmpty()) {
			synchronized (this.running) {
				this.running.notifyAll();
			}
		}
	}

	/**
	 * Stops holding an attempt, because nothing more will be written about it. A later
	 * attempt at the same task stays.
	 */
	public void release(Attempt attempt) {
		this.held.remove(Key.of(attempt), attempt);
	}

	public Collection<Attempt> held() {
		return this.held.values();
	}

	public Collection<Attempt> running() {
		return this.running;
	}

	public boolean holds(String queue, String id) {
		return this.held.containsKey(new Key(queue, id));
	}

	/**
	 * Finds the attempts that a cancellation refers to: it names an id, but no queue.
	 */
	public List<Attempt> withId(String id) {
		List<Attempt> found = new ArrayList<>();
		for (Attempt attempt : this.held.values()) {
			if (attempt.taskId().equals(id)) {
				found.add(attempt);
			}
		}
		return found;
	}

	/**
	 * Waits until no attempt is running.
	 */
	public boolean awaitNoneRunning(Duration timeout) {
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

		public static Key of(Attempt attempt) {
			return new Key(attempt.queue(), attempt.taskId());
		}

	}

}
