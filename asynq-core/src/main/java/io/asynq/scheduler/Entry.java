package io.asynq.scheduler;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.broker.fleet.SchedulerEntrySnapshot;
import io.asynq.scheduler.cron.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * A registered periodic task and its next fire, which only one thread at a time changes.
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

	/**
	 * Creates an entry that does not fire before {@link #begin}.
	 * @param queue the queue of its tasks, as far as it is known in advance
	 * @param catchesUp whether one task is enqueued for missed fires
	 */
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

	/**
	 * Starts to fire, for the first time after now.
	 */
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

	/**
	 * Stops firing for good. Fires that are under way leave no history.
	 */
	void remove() {
		this.removed = true;
		end();
	}

	boolean isRemoved() {
		return this.removed;
	}

	/**
	 * Takes the due fire and returns its time, {@code null} if none is due. If several
	 * are due, as after a long pause of the machine, the first counts for all of them. If
	 * missed fires are caught up, it is the last, as with a scheduler that catches up at
	 * its start.
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

	/**
	 * Tells whether a fire may have been missed, and resets that.
	 */
	boolean takeBehind() {
		boolean was = this.behind;
		this.behind = false;
		return was;
	}

	/**
	 * Notes whether the last fire failed, and tells whether that has changed.
	 */
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

	/**
	 * Id and spec of an entry, and the source of its tasks.
	 *
	 * @param spec with its zone, if it has its own
	 */
	record Definition(String id, String spec, PeriodicTaskDefinition.Source source) {
	}

}
