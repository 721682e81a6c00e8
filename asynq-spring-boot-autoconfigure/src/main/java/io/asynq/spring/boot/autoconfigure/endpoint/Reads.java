package io.asynq.spring.boot.autoconfigure.endpoint;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

import io.asynq.inspect.SchedulerEntry;
import io.asynq.inspect.ServerInfo;
import io.asynq.operations.Confidential;
import io.asynq.operations.QueueOperations;
import io.asynq.operations.RepairOperations;
import io.asynq.operations.SchedulerOperations;
import io.asynq.operations.ServerOperations;
import io.asynq.operations.attention.Remembered;
import io.asynq.operations.attention.Situation;

final class Reads {

	private static final int HISTORY_DAYS = 10;

	private final QueueOperations queues;

	private final TaskReads tasks;

	private final ServerOperations servers;

	private final SchedulerOperations schedulers;

	private final RepairOperations repair;

	private final Remembered<Situation> situation;

	private final Map<String, BiFunction<Parameters, Boolean, Object>> byPath;

	Reads(QueueOperations queues, TaskReads tasks, ServerOperations servers, SchedulerOperations schedulers,
			RepairOperations repair, Remembered<Situation> situation) {
		this.queues = queues;
		this.tasks = tasks;
		this.servers = servers;
		this.schedulers = schedulers;
		this.repair = repair;
		this.situation = situation;
		this.byPath = Map.ofEntries(Map.entry("queues", this::queues), Map.entry("history", this::history),
				Map.entry("groups", this::groups), Map.entry("tasks", this.tasks::list),
				Map.entry("task", this.tasks::one), Map.entry("servers", this::servers),
				Map.entry("limits", (call, shown) -> this.servers.limits()),
				Map.entry("limit-keys",
						(call, shown) -> this.servers.limitKeys(call.required("id"), call.integer("size"))),
				Map.entry("server", (call, shown) -> this.servers.look()),
				Map.entry("scheduler", (call, shown) -> this.schedulers.look()),
				Map.entry("schedulers", this::schedulers), Map.entry("scheduler-events", this::schedulerEvents),
				Map.entry("cluster", (call, shown) -> this.queues.place(call.required("queue"))),
				Map.entry("diagnosis", this::diagnosis),
				Map.entry("attention", (call, shown) -> this.situation.get().report()));
	}

	Object overview(Parameters call) {
		return this.queues.overview(call.get("cursor"));
	}

	/**
	 * @param shown whether payloads, results and headers are shown
	 */
	Object read(String path, Parameters call, boolean shown) {
		BiFunction<Parameters, Boolean, Object> read = this.byPath.get(path);
		if (read == null) {
			Set<String> known = new TreeSet<>(this.byPath.keySet());
			throw new UnknownPathException(path, known);
		}
		return read.apply(call, shown);
	}

	private Object queues(Parameters call, boolean shown) {
		return call.has("queue") ? this.queues.queue(call.required("queue")) : this.queues.queues(call.get("cursor"));
	}

	private Object history(Parameters call, boolean shown) {
		return this.queues.history(call.required("queue"), call.integer("days", HISTORY_DAYS));
	}

	private Object groups(Parameters call, boolean shown) {
		return this.queues.groups(call.required("queue"), call.get("cursor"), call.integer("size"));
	}

	private Object servers(Parameters call, boolean shown) {
		UnaryOperator<ServerInfo> show = shown ? UnaryOperator.identity() : Confidential::hide;
		return this.servers.servers().stream().map(show).toList();
	}

	private Object schedulers(Parameters call, boolean shown) {
		UnaryOperator<SchedulerEntry> show = shown ? UnaryOperator.identity() : Confidential::hide;
		return this.schedulers.entries().stream().map(show).toList();
	}

	private Object schedulerEvents(Parameters call, boolean shown) {
		return this.schedulers.events(call.required("id"), call.get("cursor"), call.integer("size"));
	}

	private Object diagnosis(Parameters call, boolean shown) {
		return this.repair.diagnose(call.required("queue"), call.get("cursor"), call.integer("limit"));
	}

}
