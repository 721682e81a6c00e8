package io.asynq.internal.schedule;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.internal.fleet.SchedulerEntrySnapshot;
import io.asynq.schedule.PeriodicTaskDefinition;
import io.asynq.schedule.PeriodicTaskInfo;
import org.jspecify.annotations.Nullable;

/**
 * Only one thread at a time changes the next fire.
 */
final class Entry {

	private final String id;

	private final String spec;

	private final Schedule schedule;

	private final PeriodicTaskDefinition.Source source;

	private final String queue;

	private final TaskOptions options;

	private final boolean catchesUp;

	private volatile @Nullable Instant next;

	private volatile @Nullable Instant previous;

	private volatile boolean behind;

	private volatile boolean removed;

	private final AtomicBoolean failing = new AtomicBoolean();

	Entry(Definition definition, Schedule schedule, String queue, TaskOptions options, boolean catchesUp) {
		this.id = definition.id();
		this.spec = definition.spec();
		this.schedule = schedule;
		this.source = definition.source();
		this.queue = queue;
		this.options = options;
		this.catchesUp = catchesUp;
	}

	String id() {
		return this.id;
	}

	PeriodicTaskDefinition.Source source() {
		return this.source;
	}

	Schedule schedule() {
		return this.schedule;
	}

	String queue() {
		return this.queue;
	}

	TaskOptions options() {
		return this.options;
	}

	boolean catchesUp() {
		return this.catchesUp;
	}

	@Nullable Instant next() {
		return this.next;
	}

	void begin(Instant now) {
		this.next = this.schedule.next(now);
		this.behind = this.catchesUp;
	}

	void reschedule(Instant now) {
		this.next = this.schedule.next(now);
	}

	void end() {
		this.next = null;
	}

	/** Fires that are under way leave no history. */
	void remove() {
		this.removed = true;
		end();
	}

	boolean isRemoved() {
		return this.removed;
	}

	/**
	 * If several fires are due, as after a long pause of the machine, the first counts
	 * for all of them; if missed fires are caught up, the last, as at a scheduler's
	 * start.
	 */
	@Nullable Instant takeDue(Instant now) {
		Instant due = this.next;
		if (due == null || due.isAfter(now)) {
			return null;
		}
		Instant later = this.catchesUp ? this.schedule.last(due, now) : null;
		Instant taken = (later != null) ? later : due;
		this.previous = taken;
		this.next = this.schedule.next(now);
		return taken;
	}

	void fellBehind() {
		this.behind = this.catchesUp;
	}

	boolean takeBehind() {
		boolean was = this.behind;
		this.behind = false;
		return was;
	}

	/** Returns whether that has changed. */
	boolean failing(boolean failing) {
		return this.failing.getAndSet(failing) != failing;
	}

	SchedulerEntrySnapshot snapshot() {
		Task task = this.source.fixed();
		return new SchedulerEntrySnapshot(this.id, this.spec, this.source.type(),
				(task != null) ? task.payload() : null, this.options, this.next, this.previous);
	}

	PeriodicTaskInfo info() {
		return new PeriodicTaskInfo(this.id, this.spec, this.source.type(), this.queue, this.next, this.previous);
	}

	@Override
	public String toString() {
		return "periodic task '" + this.id + "' (" + this.spec + ")";
	}

	record Definition(String id, String spec, PeriodicTaskDefinition.Source source) {
	}

}
