package io.asynq.operations.attention;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.EnqueueEvent;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.internal.fleet.FleetReader;
import io.asynq.internal.inspect.TaskKeeper;
import org.jspecify.annotations.Nullable;

/**
 * What periodic tasks enqueued is looked up in their history; a task that has failed is
 * still there.
 */
final class FailingPeriodicTasks {

	private static final int ENTRIES = 50;

	private static final int FIRES = 3;

	private final FleetReader fleet;

	private final TaskKeeper tasks;

	FailingPeriodicTasks(FleetReader fleet, TaskKeeper tasks) {
		this.fleet = fleet;
		this.tasks = tasks;
	}

	List<Failed> failed(List<SchedulerEntry> entries) {
		Map<String, SchedulerEntry> byId = new LinkedHashMap<>();
		// Several schedulers may have one
		entries.forEach((entry) -> byId.putIfAbsent(entry.id(), entry));
		List<Failed> failed = new ArrayList<>();
		byId.values().stream().limit(ENTRIES).forEach((entry) -> {
			Failed found = look(entry);
			if (found != null) {
				failed.add(found);
			}
		});
		return failed;
	}

	private @Nullable Failed look(SchedulerEntry entry) {
		String own = entry.options().queue();
		String queue = (own != null) ? own : "default";
		int fires = 0;
		TaskInfo last = null;
		Instant since = null;
		for (EnqueueEvent event : this.fleet.enqueueEvents(entry.id(), 0, FIRES)) {
			TaskInfo task = find(queue, event.taskId());
			if (task == null || task.state() == TaskState.COMPLETED) {
				break;
			}
			if (task.lastFailedAt() != null
					&& (task.state() == TaskState.RETRY || task.state() == TaskState.ARCHIVED)) {
				fires++;
				last = (last != null) ? last : task;
				since = event.enqueuedAt();
			}
			// Of one that still waits or runs nothing is known yet
		}
		return (last != null) ? new Failed(entry, queue, fires, last, since) : null;
	}

	private @Nullable TaskInfo find(String queue, String id) {
		try {
			return this.tasks.find(queue, id).orElse(null);
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			return null;
		}
	}

	/**
	 * @param since when the first of the tasks that have failed was enqueued
	 */
	record Failed(SchedulerEntry entry, String queue, int fires, TaskInfo last, Instant since) {
	}

}
