package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A task is <em>taken</em> from the answer of Redis that gives it until Redis has taken
 * an outcome, and only here are leases renewed; it is <em>unsettled</em> while an
 * attempt's outcome is not taken, by queue and id, since the same id may be active in two
 * queues; and <em>running</em> until every thread has left its attempt, which may be
 * earlier or later.
 */
public final class ActiveTasks {

	private final ConcurrentMap<Lease, LeasedTask> taken = new ConcurrentHashMap<>();

	private final ConcurrentMap<Key, Attempt> unsettled = new ConcurrentHashMap<>();

	private final Set<Attempt> running = ConcurrentHashMap.newKeySet();

	public void taken(Collection<LeasedTask> tasks) {
		tasks.forEach((task) -> this.taken.put(task.lease(), task));
	}

	public Collection<LeasedTask> taken() {
		return this.taken.values();
	}

	/** The task is still taken, and there is no attempt at it that others would end. */
	public boolean isAdrift(LeasedTask task) {
		Attempt attempt = this.unsettled.get(new Key(task.message().queue(), task.message().id()));
		return (attempt == null || attempt.lease() != task.lease()) && this.taken.containsKey(task.lease());
	}

	/** Ends tasks that have no attempts, unless Redis has not taken their outcomes. */
	void report(TaskCompleter completer, List<? extends Outcome> outcomes) {
		List<OutcomeResult> results = completer.report(outcomes);
		for (int i = 0; i < results.size(); i++) {
			switch (results.get(i).status()) {
				// Another outcome follows
				case UNREACHABLE, OVERDUE -> {
				}
				default -> this.taken.remove(outcomes.get(i).task().lease());
			}
		}
	}

	public void add(Attempt attempt, Attempt.Slot slot) {
		attempt.start(() -> {
			returned(attempt);
			slot.release();
		});
		addUnsettled(attempt);
		this.running.add(attempt);
	}

	public void addUnsettled(Attempt attempt) {
		this.unsettled.put(Key.of(attempt), attempt);
	}

	public void returned(Attempt attempt) {
		this.running.remove(attempt);
		if (this.running.isEmpty()) {
			synchronized (this.running) {
				this.running.notifyAll();
			}
		}
	}

	/** A later attempt at the same task stays. */
	public void release(Attempt attempt) {
		this.taken.remove(attempt.lease());
		this.unsettled.remove(Key.of(attempt), attempt);
	}

	public Collection<Attempt> unsettled() {
		return this.unsettled.values();
	}

	public Collection<Attempt> running() {
		return this.running;
	}

	public boolean has(String queue, String id) {
		return this.unsettled.containsKey(new Key(queue, id)) || this.taken.keySet()
			.stream()
			.anyMatch((lease) -> lease.taskId().equals(id) && lease.queue().equals(queue));
	}

	/** A cancellation names an id, but no queue. */
	public List<Attempt> withId(String id) {
		List<Attempt> found = new ArrayList<>();
		for (Attempt attempt : this.unsettled.values()) {
			if (attempt.taskId().equals(id)) {
				found.add(attempt);
			}
		}
		return found;
	}

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
