package io.asynq.console.view;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.QueueNotFoundException;
import io.asynq.TaskState;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleCaller;
import io.asynq.console.http.ConsoleRoutes;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.inspect.QueueInfo;
import io.asynq.operations.survey.FailureGroup;
import io.asynq.operations.survey.FailureGroups;
import io.asynq.operations.survey.FailureKey;
import io.asynq.operations.survey.FoundTasks;
import io.asynq.operations.survey.QueueBoard;
import io.asynq.operations.survey.TaskSearch;
import org.jspecify.annotations.Nullable;

record FailuresScreen(QueueBoard board, FailureGroups failures, Payloads payloads,
		Clock clock) implements ConsoleScreen {

	private static final int SIZE = 50;

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("failures", this::failures);
		routes.get("failures/tasks", this::tasks);
	}

	private Failures failures(ConsoleCall call) {
		ConsoleCaller viewer = call.caller();
		FailureGroups.Found<TaskLine> found = this.failures.find(queues(call, viewer), states(call), call.text("text"),
				call.text("cursor"), (task) -> this.payloads.line(task, viewer));
		return new Failures(this.clock.instant(), found.groups(), found.groupCount(), found.scanned(), found.total(),
				found.next() == null, found.next());
	}

	private Tasks tasks(ConsoleCall call) {
		ConsoleCaller viewer = call.caller();
		String key = call.required("failure");
		AtomicReference<@Nullable FailureKey> failure = new AtomicReference<>();
		FoundTasks<TaskLine> found = this.failures.tasks(queues(call, viewer), states(call), key, call.text("cursor"),
				call.integer("size", SIZE, 1, TaskSearch.MOST), (task) -> {
					failure.set(FailureKey.of(task));
					return this.payloads.line(task, viewer);
				});
		FailureKey known = failure.get();
		return new Tasks(this.clock.instant(), key, (known != null) ? known.type() : null,
				(known != null) ? known.signature() : null, found.entries(), found.next(), found.scanned(),
				found.total(), found.complete());
	}

	private static List<TaskState> states(ConsoleCall call) {
		List<TaskState> states = call.texts("state").stream().map((name) -> Ranges.state(call, name)).toList();
		if (!FailureGroups.STATES.containsAll(states)) {
			throw call.invalid("state", "retry or archived");
		}
		return states.isEmpty() ? FailureGroups.STATES : states;
	}

	private List<QueueInfo> queues(ConsoleCall call, ConsoleCaller viewer) {
		String only = call.has("queue") ? call.text("queue") : call.text("q");
		List<QueueInfo> queues = this.board.read()
			.queues()
			.stream()
			.filter((queue) -> viewer.sees(queue.queue()) && (only == null || queue.queue().equals(only)))
			.toList();
		if (only != null && queues.isEmpty()) {
			throw new QueueNotFoundException(only);
		}
		return queues.stream()
			.filter((queue) -> queue.size(TaskState.RETRY) + queue.size(TaskState.ARCHIVED) > 0)
			.toList();
	}

	record Failures(Instant asOf, List<FailureGroup<TaskLine>> groups, int groupCount, long scanned, long total,
			boolean complete, @Nullable String next) {
	}

	record Tasks(Instant asOf, String key, @Nullable String type, @Nullable String signature, List<TaskLine> entries,
			@Nullable String next, long scanned, long total, boolean complete) {
	}

}
