package io.asynq.internal.schedule;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

import io.asynq.AsynqException;
import io.asynq.InvalidTaskException;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.internal.enqueue.DefaultAsynqClient;
import io.asynq.internal.text.GoText;
import io.asynq.schedule.InvalidPeriodicTaskException;
import io.asynq.schedule.MissedFirePolicy;
import io.asynq.schedule.PeriodicTaskDefinition;
import io.asynq.schedule.PeriodicTaskInfo;
import io.asynq.schedule.SchedulerOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.ResolvableTypeProvider;

/**
 * Only one thread at a time changes the next fire.
 */
final class Entry {

	/** The five years that a schedule looks ahead have every date from here. */
	private static final Instant BEFORE_A_LEAP_YEAR = Instant.parse("2023-12-30T00:00:00Z");

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

	private Entry(String id, PeriodicTaskDefinition task, Schedule schedule, String queue, TaskOptions options,
			boolean catchesUp) {
		this.id = id;
		this.spec = (task.zone() != null) ? "CRON_TZ=" + task.zone() + " " + task.spec() : task.spec();
		this.schedule = schedule;
		this.source = task.source();
		this.queue = queue;
		this.options = options;
		this.catchesUp = catchesUp;
	}

	static Entry of(PeriodicTaskDefinition task, Scheduling scheduling) {
		List<String> problems = new ArrayList<>();
		if (task.id() != null && GoText.isBlank(task.id())) {
			problems.add("id is blank: give it a value, or leave it out");
		}
		Schedule schedule = schedule(task, scheduling.options, problems);
		TaskOptions options = options(task, problems);
		String queue = queue(task.source(), options, scheduling.client, problems);
		boolean catchesUp = Objects.requireNonNullElse(task.missedFires(),
				scheduling.options.missedFires()) == MissedFirePolicy.ONCE;
		if (catchesUp && !scheduling.options.clusterSafe()) {
			problems.add("missed fires can only be caught up with asynq.scheduler.cluster-safe=true,"
					+ " because otherwise the last fire is not kept: set that, or the policy SKIP");
		}
		if (schedule == null || !problems.isEmpty()) {
			String subject = "Periodic task " + ((task.id() != null) ? "'" + task.id() + "' " : "") + "of type '"
					+ task.source().type() + "' with spec '" + task.spec() + "': ";
			throw new InvalidPeriodicTaskException(problems.stream().map(subject::concat).toList());
		}
		String id = (task.id() != null) ? task.id()
				: PeriodicTaskDefinition.defaultId(task.source().type() + "@" + queue, task.spec(), task.zone());
		return new Entry(id, task, schedule, queue, options, catchesUp);
	}

	String id() {
		return this.id;
	}

	PeriodicTaskDefinition.Source source() {
		return this.source;
	}

	/** {@code null} if there is nothing to enqueue this time. */
	@Nullable Task task(DefaultAsynqClient client) throws Exception {
		Object payload = this.source.payload().call();
		ResolvableType declared = (this.source.payload() instanceof ResolvableTypeProvider method)
				? method.getResolvableType() : null;
		return (payload != null)
				? client.taskOf(this.source.type(), payload, (declared != null) ? declared.getType() : Object.class)
				: null;
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

	private static @Nullable Schedule schedule(PeriodicTaskDefinition task, SchedulerOptions options,
			List<String> problems) {
		ScheduleParser parser = new ScheduleParser(options.zone(), options.clusterSafe());
		try {
			Schedule schedule = (task.zone() != null) ? parser.parse(task.spec(), task.zone())
					: parser.parse(task.spec());
			if (schedule.next(BEFORE_A_LEAP_YEAR) == null) {
				problems
					.add("it never fires: no date of the calendar has such a day and month, or a field has no value;"
							+ " correct the spec, or remove the entry");
			}
			return schedule;
		}
		catch (IllegalArgumentException ex) {
			problems.add(ex.getMessage());
			return null;
		}
	}

	private static TaskOptions options(PeriodicTaskDefinition task, List<String> problems) {
		try {
			return task.buildOptions();
		}
		catch (InvalidTaskException ex) {
			problems.add(ex.getMessage());
			return TaskOptions.none();
		}
	}

	private static String queue(PeriodicTaskDefinition.Source source, TaskOptions options, DefaultAsynqClient client,
			List<String> problems) {
		Task task = source.fixed();
		if (task == null && GoText.isBlank(source.type())) {
			return Objects.requireNonNullElse(options.queue(), TaskOptions.DEFAULT_QUEUE);
		}
		try {
			return client.draft((task != null) ? task : Task.of(source.type(), (byte[]) null), options)
				.message()
				.queue();
		}
		catch (AsynqException ex) {
			problems.add(ex.getMessage());
			return "";
		}
	}

}
