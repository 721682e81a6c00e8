package io.asynq.console.view;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.asynq.TaskState;
import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleAudit;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleCaller;
import io.asynq.console.http.ConsoleChange;
import io.asynq.console.http.ConsoleEvents;
import io.asynq.console.http.ConsoleException;
import io.asynq.console.http.ConsoleRoutes;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.inspect.QueueInfo;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.operations.TaskAction;
import io.asynq.operations.TaskOperations;
import io.asynq.operations.UnexpectedCountException;
import io.asynq.operations.survey.FailureKey;
import io.asynq.operations.survey.QueueBoard;
import io.asynq.operations.survey.TaskFilter;
import io.asynq.operations.survey.TaskRange;
import io.asynq.operations.survey.TaskSearch;
import io.asynq.operations.survey.TaskSurvey;

final class BulkScreen implements ConsoleScreen {

	private static final long CONFIRMED_ABOVE = 100;

	private static final long PAUSE_NANOS = 250_000_000L;

	private static final String ALL_QUEUES = "all queues";

	private final QueueBoard board;

	private final TaskOperations operations;

	private final TaskSurvey tasks;

	private final TaskSearch search;

	private final Clock clock;

	private final Consumer<ConsoleEvents.Event> listener;

	private final ConsoleAudit audit;

	private final BulkJobs jobs = new BulkJobs();

	BulkScreen(TaskOperations operations, RedisBroker broker, Clock clock, TaskSearch search,
			Consumer<ConsoleEvents.Event> listener, ConsoleAudit audit) {
		this.board = new QueueBoard(broker, clock);
		this.operations = operations;
		this.tasks = new TaskSurvey(broker);
		this.search = search;
		this.clock = clock;
		this.listener = listener;
		this.audit = audit;
	}

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("jobs", this::list);
		routes.get("job", (call) -> find(call).progress());
		routes.ask("tasks/preview", (call) -> scope(call, states(call)).count(this.search, this.clock.instant()));
		routes.post("jobs/start", ConsoleRight.ACT, this::start);
		routes.post("jobs/stop", ConsoleRight.ACT, this::stop);
	}

	void close() {
		this.jobs.stop();
	}

	private JobList list(ConsoleCall call) {
		return new JobList(this.clock.instant(),
				this.jobs.all().stream().filter((job) -> sees(call, job)).map(BulkJob::progress).toList());
	}

	private BulkJob find(ConsoleCall call) {
		BulkJob job = this.jobs.find(call.required("id"));
		if (job == null || !sees(call, job)) {
			throw new ConsoleException(404, "not-found",
					"There is no job '" + call.required("id") + "': jobs are forgotten when the application ends");
		}
		return job;
	}

	private static boolean sees(ConsoleCall call, BulkJob job) {
		return job.order().scope().ranges().stream().allMatch((range) -> call.caller().sees(range.queue()));
	}

	private ConsoleChange start(ConsoleCall call) {
		TaskAction action = Ranges.action(call, call.required("action"));
		List<TaskState> states = states(call);
		for (TaskState state : states) {
			if (!action.states().contains(state)) {
				throw call.invalid("states",
						"some of " + action.states().stream().map(TaskState::wireName).toList() + " for this action");
			}
		}
		BulkScope scope = scope(call, states);
		if (call.flag("all") != scope.isAll()) {
			throw new ConsoleException(400, "parameter",
					scope.isAll() ? "Say which tasks are meant: 'filter', 'failures', or 'all' to mean all"
							: "Parameter 'all' cannot be given together with 'filter' or 'failures'");
		}
		if (scope.isAll() && (action == TaskAction.DELETE || action == TaskAction.CANCEL_AND_DELETE)) {
			call.require(ConsoleRight.ADMIN, scope.queue());
		}
		scope.ranges().forEach((range) -> call.require(ConsoleRight.ACT, range.queue()));
		BulkScope.Counted counted = scope.count(this.search, this.clock.instant());
		UnexpectedCountException.throwIfMore(counted.count(), call.number("expectedCount"));
		requireConfirmed(call, action, scope, counted);
		List<Long> sizes = scope.ranges().stream().map((range) -> scope.size(range, this.search)).toList();
		BulkJob job = new BulkJob(
				new BulkJob.Order(UUID.randomUUID().toString(), action, scope, sizes, this.clock.instant(),
						call.caller().name(), call.text("reason")),
				this.tasks, this.operations, this.clock, teller(call));
		this.jobs.start(job);
		return ConsoleChange.begun(Map.of("job", job.progress()));
	}

	/** Tells the end, and what is before it four times per second at most. */
	private Consumer<BulkJob.Progress> teller(ConsoleCall call) {
		AtomicLong last = new AtomicLong(System.nanoTime() - PAUSE_NANOS);
		return (progress) -> {
			long now = System.nanoTime();
			if (!progress.isRunning() || now - last.get() >= PAUSE_NANOS) {
				last.set(now);
				this.listener.accept(new ConsoleEvents.Event("job", progress.id(), progress));
			}
			if (!progress.isRunning()) {
				Map<String, Object> told = new LinkedHashMap<>();
				told.put("job", progress.id());
				told.put("outcome", progress.state());
				told.put("done", progress.done());
				told.put("refused", progress.refused());
				this.audit.ended("jobs/end", call, told, progress.done());
			}
		};
	}

	/** What can be undone, in one queue, needs no word. */
	private void requireConfirmed(ConsoleCall call, TaskAction action, BulkScope scope, BulkScope.Counted counted) {
		if (scope.queue() != null && action != TaskAction.DELETE && action != TaskAction.CANCEL_AND_DELETE) {
			return;
		}
		String word = (scope.queue() != null) ? scope.queue() : ALL_QUEUES;
		if ((counted.count() > CONFIRMED_ABOVE || !counted.exact()) && !word.equals(call.text("confirm"))) {
			throw new ConsoleException(409, "confirm", "These are " + (counted.exact() ? "" : "at least ")
					+ counted.count() + " tasks: confirm that with '" + word + "' as 'confirm'");
		}
	}

	private ConsoleChange stop(ConsoleCall call) {
		BulkJob job = find(call);
		job.order().scope().ranges().forEach((range) -> call.require(ConsoleRight.ACT, range.queue()));
		job.stop();
		return ConsoleChange.done(Map.of("job", job.progress()), 0);
	}

	private BulkScope scope(ConsoleCall call, List<TaskState> states) {
		ConsoleCaller viewer = call.caller();
		String queue = call.text("q");
		String group = call.text("group");
		if (queue == null && group != null) {
			throw new ConsoleException(400, "parameter", "Parameter 'q' is missing: a group belongs to a queue");
		}
		List<TaskRange> ranges = new ArrayList<>();
		if (queue != null) {
			states.forEach((state) -> ranges.add(new TaskRange(queue, state, group)));
		}
		else {
			for (QueueInfo each : this.board.read().queues()) {
				if (call.caller().sees(each.queue())) {
					states.stream()
						.filter((state) -> each.size(state) > 0)
						.forEach((state) -> ranges.add(new TaskRange(each.queue(), state, null)));
				}
			}
		}
		TaskFilter filter = Ranges.filter(call, viewer, ranges.stream().map(TaskRange::queue).distinct().toList());
		return new BulkScope(queue, states, group, filter, failures(call), ranges);
	}

	private static Set<FailureKey> failures(ConsoleCall call) {
		Set<FailureKey> failures = new LinkedHashSet<>();
		for (ConsoleCall part : call.parts("failures")) {
			String error = part.text("error");
			failures.add(new FailureKey(part.required("type"), (error != null) ? error : ""));
		}
		return failures;
	}

	private static List<TaskState> states(ConsoleCall call) {
		List<String> names = call.has("states") ? call.texts("states") : call.texts("state");
		if (names.isEmpty()) {
			throw new ConsoleException(400, "parameter", "Parameter 'state' is missing");
		}
		return names.stream().distinct().map((name) -> Ranges.state(call, name)).toList();
	}

	record JobList(Instant asOf, List<BulkJob.Progress> jobs) {
	}

}
