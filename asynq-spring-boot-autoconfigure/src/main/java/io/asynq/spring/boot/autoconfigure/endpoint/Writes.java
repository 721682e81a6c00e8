package io.asynq.spring.boot.autoconfigure.endpoint;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.BiFunction;

import io.asynq.TaskInfo;
import io.asynq.operations.ActionReport;
import io.asynq.operations.Confidential;
import io.asynq.operations.QueueOperations;
import io.asynq.operations.RepairOperations;
import io.asynq.operations.SchedulerOperations;
import io.asynq.operations.ServerOperations;
import io.asynq.operations.TaskAction;
import io.asynq.operations.TaskOperations;
import io.asynq.operations.TaskSelection;
import io.asynq.operations.repair.RepairReport;
import org.jspecify.annotations.Nullable;

final class Writes {

	private final QueueOperations queues;

	private final TaskOperations tasks;

	private final ServerOperations servers;

	private final SchedulerOperations schedulers;

	private final RepairOperations repair;

	private final Map<String, BiFunction<Parameters, Boolean, Done>> byPath;

	Writes(QueueOperations queues, TaskOperations tasks, ServerOperations servers, SchedulerOperations schedulers,
			RepairOperations repair) {
		this.queues = queues;
		this.tasks = tasks;
		this.servers = servers;
		this.schedulers = schedulers;
		this.repair = repair;
		this.byPath = Map.ofEntries(
				Map.entry("pause", (call, shown) -> Done.changed(this.queues.pause(call.required("queue")))),
				Map.entry("resume", (call, shown) -> Done.changed(this.queues.resume(call.required("queue")))),
				Map.entry("server/quiet", (call, shown) -> steer(call, true)),
				Map.entry("server/resume", (call, shown) -> steer(call, false)),
				Map.entry("run",
						(call, shown) -> act(call.flag("freshRetries") ? TaskAction.RUN_FRESH : TaskAction.RUN, call)),
				Map.entry("archive", (call, shown) -> act(TaskAction.ARCHIVE, call)),
				Map.entry("delete", (call, shown) -> act(TaskAction.DELETE, call)),
				Map.entry("cancel", (call, shown) -> act(TaskAction.cancel(call.cancelMode()), call)),
				Map.entry("payload", (call, shown) -> payload(call)), Map.entry("enqueue", this::enqueue),
				Map.entry("run-periodic", this::runPeriodic), Map.entry("repair", (call, shown) -> repair(call)));
	}

	/**
	 * @param shown whether payloads, results and headers are shown
	 */
	Done write(String path, Parameters call, boolean shown) {
		BiFunction<Parameters, Boolean, Done> write = this.byPath.get(path);
		if (write == null) {
			throw new UnknownPathException(path, new TreeSet<>(this.byPath.keySet()));
		}
		return write.apply(call, shown);
	}

	Done delete(String path, Parameters call) {
		if (!path.equals("queues")) {
			throw new UnknownPathException(path, List.of("queues"));
		}
		long tasks = this.queues.delete(call.required("queue"), call.flag("force"), call.number("expectedCount"));
		return new Done(Map.of("queue", call.required("queue"), "tasks", tasks), tasks);
	}

	private Done steer(Parameters call, boolean quiet) {
		if (call.has("id")) {
			return new Done(this.servers.ask(call.required("id"), quiet), 1);
		}
		return new Done(quiet ? this.servers.quiet() : this.servers.resume(), 1);
	}

	private Done act(TaskAction action, Parameters call) {
		if (call.has("id") || call.has("ids")) {
			call.refuseConditions();
		}
		if (call.has("id")) {
			this.tasks.actOnOne(action, call.required("queue"), call.required("id"));
			return Done.of(new ActionReport(1, List.of(), 0));
		}
		if (call.has("ids")) {
			return Done.of(this.tasks.act(action, call.required("queue"), call.ids()));
		}
		TaskSelection selection = call.selection();
		Long expected = call.number("expectedCount");
		return Done
			.of(selection.hasConditions() ? this.tasks.actOnChosen(action, selection, call.get("cursor"), expected)
					: this.tasks.actOnAll(action, selection, expected));
	}

	private Done payload(Parameters call) {
		call.required("payload");
		this.tasks.updatePayload(call.required("queue"), call.required("id"), Objects.requireNonNull(call.payload()));
		return Done.changed(true);
	}

	private Done enqueue(Parameters call, boolean shown) {
		return Done.of(this.tasks.enqueue(call.required("type"), call.payload(), call.options()), shown);
	}

	private Done runPeriodic(Parameters call, boolean shown) {
		return Done.of(this.schedulers.runNow(call.required("id")), shown);
	}

	private Done repair(Parameters call) {
		boolean dryRun = !call.flag("apply");
		RepairReport report = this.repair.repair(call.required("queue"), call.kinds(), dryRun, call.get("cursor"),
				call.integer("limit"));
		long repaired = report.repaired().values().stream().mapToLong(Long::longValue).sum();
		return new Done(report, dryRun ? 0 : repaired);
	}

	/**
	 * @param count how many tasks, queues or inconsistencies it has changed
	 */
	record Done(Object answer, long count, @Nullable TaskInfo enqueued) {

		Done(Object answer, long count) {
			this(answer, count, null);
		}

		static Done changed(boolean changed) {
			return new Done(Map.of("changed", changed), changed ? 1 : 0);
		}

		static Done of(ActionReport report) {
			return new Done(report, report.done());
		}

		static Done of(@Nullable TaskInfo task, boolean shown) {
			if (task == null) {
				return changed(false);
			}
			return new Done(shown ? task : Confidential.hide(task), 1, task);
		}

	}

}
