package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.asynq.AsynqException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.EnqueueEvent;
import io.asynq.internal.fleet.FleetReader;
import io.asynq.internal.inspect.TaskKeeper;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.schedule.PeriodicTaskInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The history of an entry names its tasks, whichever scheduler and server had them; Redis
 * is asked only from a fire on until its task has ended well, by one thread.
 */
final class PeriodicOutcomes {

	private static final Logger logger = OneLineLogger.of(PeriodicOutcomes.class);

	private static final int MOST_ENTRIES = 500;

	private static final int LONGEST_ID = 1024;

	/** With three commands for each entry, a read remains short. */
	private static final int AT_ONCE = 20;

	/** A fire that is not in the history by then had nothing to enqueue. */
	private static final Duration UNTIL_RECORDED = Duration.ofMinutes(1);

	private final Supplier<List<PeriodicTaskInfo>> entries;

	private final FleetReader fleet;

	private final TaskKeeper tasks;

	private final Clock clock;

	private final Map<String, Outcome> outcomes = new ConcurrentHashMap<>();

	private final Map<String, String> queues = new ConcurrentHashMap<>();

	/** Entries whose last fire in this process enqueued nothing, because it failed. */
	private final Set<String> failed = ConcurrentHashMap.newKeySet();

	private int turn;

	PeriodicOutcomes(Supplier<List<PeriodicTaskInfo>> entries, FleetReader fleet, TaskKeeper tasks, Clock clock) {
		this.entries = entries;
		this.fleet = fleet;
		this.tasks = tasks;
		this.clock = clock;
	}

	void enqueued(String entry, String queue) {
		this.queues.put(entry, queue);
		this.failed.remove(entry);
		this.outcomes.computeIfPresent(entry, (id, outcome) -> outcome.open());
	}

	void notEnqueued(String entry) {
		this.failed.add(entry);
	}

	void read() {
		List<PeriodicTaskInfo> all = this.entries.get()
			.stream()
			.filter((entry) -> entry.id().length() <= LONGEST_ID)
			.limit(MOST_ENTRIES)
			.toList();
		Set<String> ids = all.stream().map(PeriodicTaskInfo::id).collect(Collectors.toSet());
		List.of(this.outcomes.keySet(), this.queues.keySet(), this.failed).forEach((known) -> known.retainAll(ids));
		List<PeriodicTaskInfo> due = new ArrayList<>(all.stream().filter(this::isDue).toList());
		Collections.rotate(due, -this.turn);
		this.turn = (due.size() > AT_ONCE) ? (this.turn + AT_ONCE) % due.size() : 0;
		try {
			due.stream().limit(AT_ONCE).forEach(this::look);
		}
		catch (AsynqException | UnsupportedOperationException ex) {
			// What is in memory for tests has no history
			logger.debug("Outcomes of periodic tasks cannot be read for the metrics", ex);
		}
	}

	Set<String> known() {
		Set<String> known = new TreeSet<>(this.failed);
		this.outcomes.forEach((entry, outcome) -> {
			if (!Double.isNaN(outcome.value())) {
				known.add(entry);
			}
		});
		return known;
	}

	/** 1 for success, 0 for failure, NaN if it is not known. */
	double value(String entry) {
		return this.failed.contains(entry) ? 0 : outcome(entry).value();
	}

	private Outcome outcome(String entry) {
		return this.outcomes.getOrDefault(entry, Outcome.NONE);
	}

	private boolean isDue(PeriodicTaskInfo entry) {
		Outcome known = this.outcomes.get(entry.id());
		return known == null || !known.settled() || !Objects.equals(known.fire(), entry.previous());
	}

	private void look(PeriodicTaskInfo entry) {
		Outcome known = outcome(entry.id());
		List<EnqueueEvent> events = this.fleet.enqueueEvents(entry.id(), 0, 1);
		Outcome found = events.isEmpty() ? Outcome.NONE : ofTask(entry, events.get(0).taskId(), known);
		Instant fire = entry.previous();
		boolean enqueued = fire != null && !events.isEmpty() && !events.get(0).enqueuedAt().isBefore(fire);
		if (enqueued && !fire.equals(known.fire())) {
			// If not by this scheduler, then by another
			this.failed.remove(entry.id());
		}
		boolean over = fire == null || enqueued || fire.plus(UNTIL_RECORDED).isBefore(this.clock.instant());
		this.outcomes.put(entry.id(), found.at(over ? fire : known.fire()));
	}

	private Outcome ofTask(PeriodicTaskInfo entry, String id, Outcome known) {
		boolean same = id.equals(known.task());
		if (same && known.settled()) {
			return known;
		}
		TaskInfo task = this.tasks.find(this.queues.getOrDefault(entry.id(), entry.queue()), id).orElse(null);
		if (task == null) {
			// asynq keeps no succeeded task unless asked to; an archived one was deleted
			// or run by hand
			return new Outcome(null, id, true, (same && known.archived()) ? Double.NaN : 1, false);
		}
		boolean archived = task.state() == TaskState.ARCHIVED;
		if (task.state() == TaskState.COMPLETED) {
			return new Outcome(null, id, true, 1, false);
		}
		return new Outcome(null, id, false, (task.lastFailedAt() != null) ? 0 : known.value(), archived);
	}

	/**
	 * @param settled whether it cannot change any more
	 */
	private record Outcome(@Nullable Instant fire, @Nullable String task, boolean settled, double value,
			boolean archived) {

		static final Outcome NONE = new Outcome(null, null, true, Double.NaN, false);

		Outcome at(@Nullable Instant fire) {
			return new Outcome(fire, this.task, this.settled, this.value, this.archived);
		}

		Outcome open() {
			return new Outcome(this.fire, null, false, this.value, this.archived);
		}

	}

}
