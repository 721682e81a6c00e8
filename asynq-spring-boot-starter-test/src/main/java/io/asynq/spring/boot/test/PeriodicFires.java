package io.asynq.spring.boot.test;

import java.time.Instant;
import java.util.Comparator;
import java.util.function.Consumer;

import io.asynq.DuplicateTaskException;
import io.asynq.TaskIdConflictException;
import io.asynq.internal.schedule.ScheduleParser;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskInfo;
import io.asynq.schedule.SchedulerOptions;
import org.jspecify.annotations.Nullable;

/** Fires the entries of the application's scheduler at their times, in order. */
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
		Instant last = after;
		for (Instant at = next(last, until); at != null; at = next(last, until)) {
			before.accept(at);
			for (PeriodicTaskInfo entry : this.scheduler.entries()) {
				if (at.equals(this.parser.parse(entry.spec()).next(last))) {
					enqueue(entry.id());
					count++;
				}
			}
			if (count > MOST) {
				throw new IllegalStateException("Periodic tasks are due more than " + MOST + " times from " + after
						+ " to " + until + ": advance by less time");
			}
			last = at;
		}
	}

	private @Nullable Instant next(Instant after, Instant until) {
		return this.scheduler.entries()
			.stream()
			.map((entry) -> this.parser.parse(entry.spec()).next(after))
			.filter((at) -> at != null && !at.isAfter(until))
			.min(Comparator.naturalOrder())
			.orElse(null);
	}

	private void enqueue(String entry) {
		try {
			this.scheduler.fireNow(entry);
		}
		catch (DuplicateTaskException | TaskIdConflictException ex) {
			// The fire is left out, as by a scheduler that runs
		}
	}

}
