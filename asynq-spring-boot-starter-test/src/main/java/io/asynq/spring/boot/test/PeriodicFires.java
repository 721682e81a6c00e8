package io.asynq.spring.boot.test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.asynq.DuplicateTaskException;
import io.asynq.TaskIdConflictException;
import io.asynq.internal.schedule.InvalidScheduleException;
import io.asynq.internal.schedule.Schedule;
import io.asynq.internal.schedule.ScheduleParser;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskInfo;
import io.asynq.schedule.SchedulerOptions;
import org.jspecify.annotations.Nullable;

/**
 * Fires the entries of the application's scheduler at their times, in order.
 */
final class PeriodicFires {

	private static final int MOST = 10_000;

	private final AsynqScheduler scheduler;

	private final ScheduleParser parser;

	PeriodicFires(AsynqScheduler scheduler, SchedulerOptions options) {
		this.scheduler = scheduler;
		this.parser = new ScheduleParser(options.zone(), options.clusterSafe());
	}

	/**
	 * Fires what is due in a period.
	 * @param after when it begins; a fire at that time has been
	 * @param until when it ends; a fire at that time belongs to it
	 * @param before called with each time before its fires
	 */
	void fire(Instant after, Instant until, Consumer<Instant> before) {
		int count = 0;
		Fires next = next(after, until);
		while (next != null) {
			before.accept(next.at());
			next.entries().forEach(this::enqueue);
			count += next.entries().size();
			if (count > MOST) {
				throw new IllegalStateException("Periodic tasks are due more than " + MOST + " times from " + after
						+ " to " + until + ": advance by less time");
			}
			next = next(next.at(), until);
		}
	}

	private @Nullable Fires next(Instant after, Instant until) {
		Fires earliest = null;
		for (PeriodicTaskInfo entry : this.scheduler.entries()) {
			Instant at = schedule(entry).next(after);
			if (at == null || at.isAfter(until)) {
				continue;
			}
			if (earliest == null || at.isBefore(earliest.at())) {
				earliest = new Fires(at, new ArrayList<>());
			}
			if (at.equals(earliest.at())) {
				earliest.entries().add(entry.id());
			}
		}
		return earliest;
	}

	private void enqueue(String entry) {
		try {
			this.scheduler.fireNow(entry);
		}
		catch (DuplicateTaskException | TaskIdConflictException ex) {
			// The fire is left out, as by a scheduler that runs
		}
	}

	private Schedule schedule(PeriodicTaskInfo entry) {
		try {
			return this.parser.parse(entry.spec());
		}
		catch (InvalidScheduleException ex) {
			throw new IllegalStateException("The scheduler has accepted the spec of " + entry.id(), ex);
		}
	}

	private record Fires(Instant at, List<String> entries) {
	}

}
