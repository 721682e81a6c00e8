package io.asynq.console.view;

import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

import io.asynq.CancelMode;
import io.asynq.broker.fleet.ServerIdentity;
import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleChange;
import io.asynq.console.http.ConsoleRoutes;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.info.Listing;
import io.asynq.info.ServerInfo;
import io.asynq.operate.ActionReport;
import io.asynq.operate.SchedulerOperations;
import io.asynq.operate.ServerOperations;
import io.asynq.operate.TaskAction;
import io.asynq.operate.TaskOperations;

public final class ActionsScreen implements ConsoleScreen {

	private final TaskOperations tasks;

	private final ServerOperations servers;

	private final SchedulerOperations schedulers;

	private final Clock clock;

	public ActionsScreen(TaskOperations tasks, ServerOperations servers, SchedulerOperations schedulers, Clock clock) {
		this.tasks = tasks;
		this.servers = servers;
		this.schedulers = schedulers;
		this.clock = clock;
	}

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("scheduler-events", this::schedulerEvents);
		routes.post("tasks/run", ConsoleRight.ACT,
				act((call) -> call.flag("freshRetries") ? TaskAction.RUN_FRESH : TaskAction.RUN));
		routes.post("tasks/archive", ConsoleRight.ACT, act((call) -> TaskAction.ARCHIVE));
		routes.post("tasks/delete", ConsoleRight.ACT, act((call) -> TaskAction.DELETE));
		routes.post("tasks/cancel", ConsoleRight.ACT, act((call) -> TaskAction.cancel(mode(call))));
		routes.post("server/quiet", ConsoleRight.ACT, (call) -> server(call, true));
		routes.post("server/resume", ConsoleRight.ACT, (call) -> server(call, false));
	}

	private Part schedulerEvents(ConsoleCall call) {
		Listing<?> part = this.schedulers.events(call.required("id"), call.text("cursor"),
				call.integer("size", 30, 1, 200));
		return new Part(this.clock.instant(), part.entries(), part.next());
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

	/** That of this application does it at once. */
	private ConsoleChange server(ConsoleCall call, boolean quiet) {
		// A server works on other queues too, whichever the call names
		call.require(ConsoleRight.ACT, null);
		String id = call.text("id");
		if (id == null || this.servers.servers().stream().anyMatch((live) -> live.id().equals(id) && isOwn(live))) {
			return ConsoleChange.done(quiet ? this.servers.quiet() : this.servers.resume(), 1);
		}
		return ConsoleChange.done(this.servers.ask(id, quiet), 1);
	}

	private static boolean isOwn(ServerInfo server) {
		ServerIdentity own = ServerIdentity.ofThisProcess();
		return server.pid() == own.pid() && server.host().equals(own.host());
	}

	private static CancelMode mode(ConsoleCall call) {
		String name = call.text("mode");
		return Stream.of(CancelMode.values())
			.filter((mode) -> mode.name().toLowerCase(Locale.ROOT).equals((name != null) ? name : "retry"))
			.findFirst()
			.orElseThrow(() -> call.invalid("mode", "retry, archive or delete"));
	}

}
