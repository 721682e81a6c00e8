package io.asynq.operations;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

import io.asynq.AsynqClient;
import io.asynq.AsynqException;
import io.asynq.TaskInfo;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.EnqueueEvent;
import io.asynq.inspect.Listing;
import io.asynq.inspect.LoopInfo;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.internal.schedule.PeriodicTaskManager;
import io.asynq.internal.schedule.Schedule;
import io.asynq.internal.schedule.ScheduleParser;
import io.asynq.internal.text.GoText;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskNotFoundException;
import org.jspecify.annotations.Nullable;

public final class SchedulerOperations {

	private static final ScheduleParser PARSER = new ScheduleParser(ZoneOffset.UTC, false);

	private final AsynqInspector inspector;

	private final AsynqClient client;

	private final @Nullable AsynqScheduler own;

	private final @Nullable PeriodicTaskManager manager;

	public SchedulerOperations(AsynqInspector inspector, AsynqClient client, @Nullable AsynqScheduler own,
			@Nullable PeriodicTaskManager manager) {
		this.inspector = inspector;
		this.client = client;
		this.own = own;
		this.manager = manager;
	}

	public List<SchedulerEntry> entries() {
		return this.inspector.schedulerEntries();
	}

	public OwnScheduler look() {
		AsynqScheduler scheduler = this.own;
		if (scheduler == null) {
			throw new AsynqException("This application has no scheduler: asynq.scheduler.enabled is false");
		}
		List<LoopInfo> loops = new ArrayList<>(scheduler.loops());
		if (this.manager != null) {
			loops.addAll(this.manager.loops());
		}
		return new OwnScheduler(scheduler.isRunning(), scheduler.entries().size(), loops);
	}

	public Listing<EnqueueEvent> events(String entryId, @Nullable String cursor, @Nullable Integer size) {
		Cursor position = Cursor.of(cursor, size);
		List<EnqueueEvent> part = this.inspector.schedulerEnqueueEvents(entryId, position.page());
		if (part.isEmpty() && position.page().number() == 1) {
			find(entryId);
		}
		return new Listing<>(part, (part.size() == position.page().size()) ? position.next() : null);
	}

	/**
	 * A task of this application is made as at a fire, that of another one from what its
	 * scheduler has published; {@code null} if the entry has nothing to enqueue now.
	 */
	public @Nullable TaskInfo runNow(String entryId) {
		if (this.own != null && this.own.entries().stream().anyMatch((entry) -> entry.id().equals(entryId))) {
			return this.own.enqueueNow(entryId);
		}
		SchedulerEntry entry = find(entryId);
		if (GoText.isBlank(entry.task().type())) {
			throw new AsynqException("The task of periodic task '" + entryId
					+ "' is made when it fires, which only an application can do that has it");
		}
		return this.client.enqueue(entry.task(), entry.options());
	}

	private SchedulerEntry find(String entryId) {
		return entries().stream()
			.filter((entry) -> entry.id().equals(entryId))
			.findFirst()
			.orElseThrow(() -> new PeriodicTaskNotFoundException(
					"No live scheduler has a periodic task with the id '" + entryId + "'"));
	}

	/**
	 * Returns the next fires of an entry: the first as its scheduler says, what follows
	 * as its spec says, as far as it can be read.
	 */
	public static List<Instant> nextFires(SchedulerEntry entry, int most) {
		List<Instant> fires = new ArrayList<>();
		Instant next = entry.next();
		try {
			Schedule schedule = PARSER.parse(entry.spec());
			while (next != null && fires.size() < most) {
				fires.add(next);
				next = schedule.next(next);
			}
		}
		catch (RuntimeException ex) {
			// A spec of another version
		}
		return (fires.isEmpty() && next != null) ? List.of(next) : fires;
	}

	public record OwnScheduler(boolean running, int entries, List<LoopInfo> loops) {
	}

}
