package io.asynq.spring.boot.autoconfigure.endpoint;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

import io.asynq.TaskInfo;
import io.asynq.inspect.Listing;
import io.asynq.inspect.Page;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.inspect.ServerInfo;
import io.asynq.operations.Confidential;
import io.asynq.operations.QueueOperations;
import io.asynq.operations.RepairOperations;
import io.asynq.operations.SchedulerOperations;
import io.asynq.operations.ServerOperations;
import io.asynq.operations.TaskOperations;
import io.asynq.operations.TaskSelection;
import io.asynq.operations.attention.Remembered;
import io.asynq.operations.attention.Situation;
import io.asynq.operations.survey.TaskSearch;

final class Reads {

	private static final int HISTORY_DAYS = 10;

	private final QueueOperations queues;

	private final TaskOperations tasks;

	private final TaskSearch search;

	private final ServerOperations servers;

	private final SchedulerOperations schedulers;

	private final RepairOperations repair;

	private final Remembered<Situation> situation;

	private final Map<String, BiFunction<Parameters, Boolean, Object>> byPath;

	Reads(QueueOperations queues, TaskOperations tasks, TaskSearch search, ServerOperations servers,
			SchedulerOperations schedulers, RepairOperations repair, Remembered<Situation> situation) {
		this.queues = queues;
		this.tasks = tasks;
		this.search = search;
		this.servers = servers;
		this.schedulers = schedulers;
		this.repair = repair;
		this.situation = situation;
		this.byPath = Map.ofEntries(Map.entry("queues", this::queues), Map.entry("history", this::history),
				Map.entry("groups", this::groups), Map.entry("tasks", this::tasks), Map.entry("task", this::task),
				Map.entry("servers", this::servers), Map.entry("limits", (call, shown) -> this.servers.limits()),
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

	private Object task(Parameters call, boolean shown) {
		return show(shown).apply(this.tasks.task(call.required("queue"), call.required("id")));
	}

	private Object tasks(Parameters call, boolean shown) {
		TaskSelection selection = call.selection();
		if (selection.hasConditions()) {
			return this.search.find(selection, call.get("cursor"), call.integer("size", Page.DEFAULT_SIZE),
					show(shown));
		}
		Listing<TaskInfo> part = this.tasks.list(selection, call.get("cursor"), call.integer("size"));
		return new Listing<>(part.entries().stream().map(show(shown)).toList(), part.next());
	}

	private static UnaryOperator<TaskInfo> show(boolean shown) {
		return shown ? UnaryOperator.identity() : Confidential::hide;
	}

}
