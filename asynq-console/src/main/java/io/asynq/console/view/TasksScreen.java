package io.asynq.console.view;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleCaller;
import io.asynq.console.http.ConsoleChange;
import io.asynq.console.http.ConsoleFile;
import io.asynq.console.http.ConsoleRoutes;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.inspect.AsynqInspector;
import io.asynq.internal.fleet.FleetReader;
import io.asynq.operations.ActionReport;
import io.asynq.operations.TaskOperations;
import io.asynq.operations.survey.FoundTasks;
import io.asynq.operations.survey.TaskFilter;
import io.asynq.operations.survey.TaskRange;
import io.asynq.operations.survey.TaskSearch;
import org.jspecify.annotations.Nullable;

record TasksScreen(TaskSearch search, TaskOperations operations, AsynqInspector inspector, Payloads payloads,
		Clock clock) implements ConsoleScreen {

	private static final int SIZE = 30;

	private static final int MOST_EXPORTED = 10_000;

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("tasks", this::tasks);
		routes.get("export", this::export);
		Stream.of("run", "archive", "delete", "cancel")
			.forEach((name) -> routes.post("tasks/" + name, ConsoleRight.ACT, (call) -> act(call, name)));
	}

	private Tasks tasks(ConsoleCall call) {
		ConsoleCaller viewer = call.caller();
		TaskRange range = Ranges.of(call);
		Map<List<String>, Worker> workers = (range.state() == TaskState.ACTIVE) ? Worker.byTask(this.inspector)
				: Map.of();
		FoundTasks<TaskLine> found = this.search.find(range, Ranges.filter(call, viewer, List.of(range.queue())),
				call.text("cursor"), call.integer("size", SIZE, 1, TaskSearch.MOST),
				(task) -> this.payloads.line(task, viewer, workers.get(List.of(task.queue(), task.id()))));
		return new Tasks(this.clock.instant(), found.entries(), found.next(), found.scanned(), found.total(),
				found.complete());
	}

	private ConsoleChange act(ConsoleCall call, String action) {
		List<String> ids = call.texts("ids");
		if (ids.isEmpty()) {
			throw call.invalid("ids", "a list of ids");
		}
		ActionReport report = this.operations.act(Ranges.action(call, action), call.queue(), ids);
		return ConsoleChange.done(report, report.done());
	}

	private ConsoleFile export(ConsoleCall call) {
		ConsoleCaller viewer = call.caller();
		TaskRange range = Ranges.of(call);
		TaskFilter filter = Ranges.filter(call, viewer, List.of(range.queue()));
		this.search.count(range);
		Instant now = this.clock.instant();
		Csv csv = new Csv();
		csv.row("id", "queue", "type", "state", "retried", "maxRetry", "lastError", "lastFailedAt", "nextProcessAt",
				"completedAt", "group", "payloadSize", "payloadPreview");
		this.search.walk(range, 0, MOST_EXPORTED, (task) -> {
			if (filter.passes(task, now)) {
				add(csv, task, viewer);
			}
			return true;
		});
		return new ConsoleFile("tasks-" + range.state().wireName() + ".csv", "text/csv; charset=utf-8",
				csv.text().getBytes(StandardCharsets.UTF_8));
	}

	private void add(Csv csv, TaskInfo task, ConsoleCaller viewer) {
		TaskLine line = this.payloads.line(task, viewer);
		csv.row(line.id(), line.queue(), line.type(), line.state().wireName(), line.retried(), line.maxRetry(),
				line.lastError(), line.lastFailedAt(), line.nextProcessAt(), line.completedAt(), line.group(),
				line.payloadSize(), line.payloadPreview());
	}

	record Tasks(Instant asOf, List<TaskLine> entries, @Nullable String next, long scanned, long total,
			boolean complete) {
	}

}
