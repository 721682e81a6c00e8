package io.asynq.scheduler;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.broker.SchedulerEntrySnapshot;
import org.jspecify.annotations.Nullable;

/**
 * A registered periodic task and its next fire. The next fire is changed by one thread at
 * a time.
 */
final class Entry {

	private final String id;

	private final String spec;

	private final Schedule schedule;

	private final TaskSource source;

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
	 * @param definition what was registered
	 * @param schedule when it fires
	 * @param queue the queue of its tasks as far as it is known before
	 * @param options override its tasks' own
	 * @param catchesUp whether missed fires lead to a task
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

	TaskSource source() {
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
	 * Begins to fire: the next fire is the first after now.
	 * @param now the present
	 */
	void begin(Instant now) {
		this.next = this.schedule.next(now);
		this.behind = this.catchesUp;
	}

	/**
	 * Looks for the next fire anew.
	 * @param now the present
	 */
	void reschedule(Instant now) {
		this.next = this.schedule.next(now);
	}

	/**
	 * Stops firing.
	 */
	void end() {
		this.next = null;
	}

	/**
	 * Stops firing for good: what still fires leaves no history.
	 */
	void remove() {
		this.removed = true;
		end();
	}

	boolean isRemoved() {
		return this.removed;
	}

	/**
	 * Takes the fire that is due, if one is. When several are, as after a long pause of
	 * the machine, the first stands for all; where missed fires are caught up it is the
	 * last, by which those who come back by a start know all that was missed.
	 * @param now the present
	 * @return when it was to fire, {@code null} if nothing is due
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

	/**
	 * Notes that a fire may have been missed.
	 */
	void fellBehind() {
		this.behind = this.catchesUp;
	}

	/**
	 * Returns whether a fire may have been missed, once.
	 * @return whether to look
	 */
	boolean takeBehind() {
		boolean was = this.behind;
		this.behind = false;
		return was;
	}

	/**
	 * Notes whether Redis takes its tasks.
	 * @param failing whether the last fire failed
	 * @return whether that has changed
	 */
	boolean failing(boolean failing) {
		return this.failing.getAndSet(failing) != failing;
	}

	SchedulerEntrySnapshot snapshot() {
		Task task = this.source.fixed();
		return new SchedulerEntrySnapshot(this.id, this.spec, this.source.type(),
				(task != null) ? task.payload() : null, OptionTexts.of(this.options), this.next, this.previous);
	}

	PeriodicTaskInfo info() {
		return new PeriodicTaskInfo(this.id, this.spec, this.source.type(), this.queue, this.next, this.previous);
	}

	@Override
	public String toString() {
		return "periodic task '" + this.id + "' (" + this.spec + ")";
	}

	/**
	 * What names an entry and makes its tasks.
	 *
	 * @param id the identity
	 * @param spec when it fires, with its zone if it has one of its own
	 * @param source makes its tasks
	 */
	record Definition(String id, String spec, TaskSource source) {
	}

}
