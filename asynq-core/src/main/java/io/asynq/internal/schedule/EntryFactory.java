package io.asynq.internal.schedule;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.asynq.AsynqException;
import io.asynq.InvalidTaskException;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.internal.text.GoText;
import io.asynq.schedule.InvalidPeriodicTaskException;
import io.asynq.schedule.MissedFirePolicy;
import io.asynq.schedule.PeriodicTaskDefinition;
import org.jspecify.annotations.Nullable;

final class EntryFactory {

	/** The five years that a schedule looks ahead have every date from here. */
	private static final Instant BEFORE_A_LEAP_YEAR = Instant.parse("2023-12-30T00:00:00Z");

	private final Scheduling scheduling;

	EntryFactory(Scheduling scheduling) {
		this.scheduling = scheduling;
	}

	Entry create(PeriodicTaskDefinition task) {
		List<String> problems = new ArrayList<>();
		if (task.id() != null && GoText.isBlank(task.id())) {
			problems.add("id is blank: give it a value, or leave it out");
		}
		Schedule schedule = schedule(task, problems);
		TaskOptions options = options(task, problems);
		String queue = queue(task.source(), options, problems);
		boolean catchesUp = Objects.requireNonNullElse(task.missedFires(),
				this.scheduling.options().missedFires()) == MissedFirePolicy.ONCE;
		if (catchesUp && !this.scheduling.options().clusterSafe()) {
			problems.add("missed fires can only be caught up with asynq.scheduler.cluster-safe=true,"
					+ " because otherwise the last fire is not kept: set that, or the policy SKIP");
		}
		if (schedule == null || !problems.isEmpty()) {
			String subject = "Periodic task " + ((task.id() != null) ? "'" + task.id() + "' " : "") + "of type '"
					+ task.source().type() + "' with spec '" + task.spec() + "': ";
			throw new InvalidPeriodicTaskException(problems.stream().map(subject::concat).toList());
		}
		String spec = spec(task);
		String id = (task.id() != null) ? task.id()
				: PeriodicTaskDefinition.defaultId(task.source().type() + "@" + queue, task.spec(), task.zone());
		return new Entry(new Entry.Definition(id, spec, task.source()), schedule, queue, options, catchesUp);
	}

	private @Nullable Schedule schedule(PeriodicTaskDefinition task, List<String> problems) {
		ScheduleParser parser = new ScheduleParser(this.scheduling.options().zone(),
				this.scheduling.options().clusterSafe());
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
		catch (InvalidScheduleException ex) {
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

	private String queue(PeriodicTaskDefinition.Source source, TaskOptions options, List<String> problems) {
		Task task = source.fixed();
		if (task == null && GoText.isBlank(source.type())) {
			return Objects.requireNonNullElse(options.queue(), TaskOptions.DEFAULT_QUEUE);
		}
		try {
			return this.scheduling.client()
				.check((task != null) ? task : Task.of(source.type(), (byte[]) null), options);
		}
		catch (AsynqException ex) {
			problems.add(ex.getMessage());
			return "";
		}
	}

	private static String spec(PeriodicTaskDefinition task) {
		return (task.zone() != null) ? "CRON_TZ=" + task.zone() + " " + task.spec() : task.spec();
	}

}
