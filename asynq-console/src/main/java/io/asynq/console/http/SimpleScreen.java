package io.asynq.console.http;

import java.time.Clock;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import io.asynq.CancelMode;
import io.asynq.console.ConsoleRight;
import io.asynq.info.Inconsistency;
import io.asynq.info.Listing;
import io.asynq.operate.ActionReport;
import io.asynq.operate.QueueOperations;
import io.asynq.operate.RepairOperations;
import io.asynq.operate.SchedulerOperations;
import io.asynq.operate.ServerOperations;
import io.asynq.operate.TaskAction;
import io.asynq.operate.TaskOperations;
import io.asynq.repair.RepairReport;
import org.jspecify.annotations.Nullable;

/**
 * What needs no more than one call of an operation.
 */
public final class SimpleScreen implements ConsoleScreen {

	private static final int LARGEST_PART = 200;

	private final QueueOperations queues;

	private final TaskOperations tasks;

	private final ServerOperations servers;

	private final SchedulerOperations schedulers;

	private final RepairOperations repair;

	private final Clock clock;

	public SimpleScreen(QueueOperations queues, TaskOperations tasks, ServerOperations servers,
			SchedulerOperations schedulers, RepairOperations repair, Clock clock) {
		this.queues = queues;
		this.tasks = tasks;
		this.servers = servers;
		this.schedulers = schedulers;
		this.repair = repair;
		this.clock = clock;
	}

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("groups", this::groups);
		routes.get("scheduler-events", this::schedulerEvents);
		routes.get("diagnosis", this::diagnosis);
		routes.post("queue/pause", ConsoleRight.ACT, (call) -> changed(this.queues.pause(call.queue())));
		routes.post("queue/resume", ConsoleRight.ACT, (call) -> changed(this.queues.resume(call.queue())));
		routes.post("queue/delete", ConsoleRight.ADMIN, this::deleteQueue);
		routes.post("tasks/run", ConsoleRight.ACT,
				act((call) -> call.flag("freshRetries") ? TaskAction.RUN_FRESH : TaskAction.RUN));
		routes.post("tasks/archive", ConsoleRight.ACT, act((call) -> TaskAction.ARCHIVE));
		routes.post("tasks/delete", ConsoleRight.ACT, act((call) -> TaskAction.DELETE));
		routes.post("tasks/cancel", ConsoleRight.ACT, act((call) -> TaskAction.cancel(mode(call))));
		routes.post("server/quiet", ConsoleRight.ACT, (call) -> ConsoleChange.done(this.servers.quiet(), 1));
		routes.post("server/resume", ConsoleRight.ACT, (call) -> ConsoleChange.done(this.servers.resume(), 1));
		routes.post("repair", ConsoleRight.ADMIN, this::repair);
	}

	private Part<?> groups(ConsoleCall call) {
		return part(this.queues.groups(call.queue(), call.text("cursor"), size(call)));
	}

	private Part<?> schedulerEvents(ConsoleCall call) {
		return part(this.schedulers.events(call.required("id"), call.text("cursor"), size(call)));
	}

	private Object diagnosis(ConsoleCall call) {
		return this.repair.diagnose(call.queue(), call.text("cursor"), limit(call));
	}

	private ConsoleChange deleteQueue(ConsoleCall call) {
		String queue = call.queue();
		long deleted = this.queues.delete(queue, call.flag("force"), call.number("expectedCount"));
		return ConsoleChange.done(Map.of("queue", queue, "done", deleted), deleted);
	}

	private Function<ConsoleCall, ConsoleChange> act(Function<ConsoleCall, TaskAction> action) {
		return (call) -> {
			List<String> ids = call.texts("ids");
			if (ids.isEmpty()) {
				throw call.invalid("ids", "a list of ids");
			}
			ActionReport report = this.tasks.act(action.apply(call), call.queue(), ids);
			return ConsoleChange.done(report, report.done());
		};
	}

	private ConsoleChange repair(ConsoleCall call) {
		boolean apply = call.flag("apply");
		RepairReport report = this.repair.repair(call.queue(), kinds(call), !apply, call.text("cursor"), limit(call));
		long repaired = report.repaired().values().stream().mapToLong(Long::longValue).sum();
		return ConsoleChange.done(report, apply ? repaired : 0);
	}

	private static CancelMode mode(ConsoleCall call) {
		String name = call.text("mode");
		return Stream.of(CancelMode.values())
			.filter((mode) -> mode.name().toLowerCase(Locale.ROOT).equals((name != null) ? name : "retry"))
			.findFirst()
			.orElseThrow(() -> call.invalid("mode", "retry, archive or delete"));
	}

	private static Set<Inconsistency.Kind> kinds(ConsoleCall call) {
		Set<Inconsistency.Kind> kinds = EnumSet.noneOf(Inconsistency.Kind.class);
		for (String name : call.texts("kinds")) {
			kinds.add(Stream.of(Inconsistency.Kind.values())
				.filter((kind) -> kind.name().equals(name.toUpperCase(Locale.ROOT).replace('-', '_')))
				.findFirst()
				.orElseThrow(() -> call.invalid("kinds", "some of " + List.of(Inconsistency.Kind.values()))));
		}
		return kinds.isEmpty() ? EnumSet.allOf(Inconsistency.Kind.class) : kinds;
	}

	private static @Nullable Integer limit(ConsoleCall call) {
		return call.has("limit") ? call.integer("limit", 0, 1, 1_000_000) : null;
	}

	private static Integer size(ConsoleCall call) {
		return call.integer("size", 30, 1, LARGEST_PART);
	}

	private static ConsoleChange changed(boolean changed) {
		return ConsoleChange.done(Map.of("changed", changed), changed ? 1 : 0);
	}

	private Part<?> part(Listing<?> part) {
		return new Part<>(this.clock.instant(), part.entries(), part.next());
	}

	/**
	 * A part of a list.
	 *
	 * @param asOf when it was read
	 * @param entries the entries
	 * @param next the cursor of the next part, {@code null} if this is the last one
	 */
	record Part<T>(Instant asOf, List<? extends T> entries, @Nullable String next) {
	}

}
