package io.asynq.console.view;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.asynq.TaskState;
import io.asynq.broker.survey.FleetSurvey;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleRoutes;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.console.task.Viewer;
import io.asynq.info.QueueInfo;
import io.asynq.info.ServerInfo;
import io.asynq.info.WorkerInfo;
import io.asynq.operate.Confidential;
import org.jspecify.annotations.Nullable;

/**
 * Servers, and which queues have some.
 */
final class FleetScreen implements ConsoleScreen {

	private static final int MOST_QUEUES = 1000;

	private final Remembered<State> state;

	private final OwnProcess own;

	private final Clock clock;

	FleetScreen(Remembered<State> state, OwnProcess own, Clock clock) {
		this.state = state;
		this.own = own;
		this.clock = clock;
	}

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("servers", this::servers);
	}

	private Servers servers(ConsoleCall call) {
		Viewer viewer = Viewer.of(call);
		State state = this.state.get();
		FleetSurvey.Fleet seen = state.fleet();
		Instant now = this.clock.instant();
		List<Server> servers = seen.live().stream().map((server) -> server(server, viewer, now)).toList();
		return new Servers(state.board().at(), servers, coverage(state, viewer), seen.lost());
	}

	private Server server(FleetSurvey.Live server, Viewer viewer, Instant now) {
		ServerInfo info = Confidential.hide(server.info());
		List<WorkerInfo> workers = info.workers().stream().filter((worker) -> viewer.sees(worker.queue())).toList();
		Map<String, Integer> queues = new TreeMap<>();
		info.queues().forEach((queue, weight) -> {
			if (viewer.sees(queue)) {
				queues.put(queue, weight);
			}
		});
		List<String> stuck = workers.stream()
			.filter((worker) -> Stuck.is(worker, now))
			.map(WorkerInfo::taskId)
			.toList();
		return new Server(
				new ServerInfo(info.id(), info.host(), info.pid(), info.concurrency(), queues, info.strictPriority(),
						info.status(), info.startedAt(), workers),
				server.isJava(), this.own.isServer(info.pid(), info.host()), this.own.versionOf(info),
				types(server.served().types()), stuck, server.ahead());
	}

	private List<Coverage> coverage(State state, Viewer viewer) {
		Map<String, List<String>> byQueue = new TreeMap<>();
		state.fleet()
			.live()
			.forEach((server) -> server.info()
				.queues()
				.keySet()
				.forEach(
						(queue) -> byQueue.computeIfAbsent(queue, (key) -> new ArrayList<>()).add(server.info().id())));
		Map<String, Long> pending = new TreeMap<>();
		for (QueueInfo queue : state.board().queues()) {
			pending.put(queue.queue(), queue.size(TaskState.PENDING));
		}
		TreeSet<String> names = new TreeSet<>(pending.keySet());
		names.addAll(byQueue.keySet());
		return names.stream()
			.filter(viewer::sees)
			.map((name) -> new Coverage(name, pending.getOrDefault(name, 0L), byQueue.getOrDefault(name, List.of()),
					byQueue.containsKey(name)))
			// Those that nobody takes first, should there be too many
			.sorted((one, other) -> Boolean.compare(one.covered(), other.covered()))
			.limit(MOST_QUEUES)
			.toList();
	}

	/** Returns types as people write them: prefixes with a star. */
	private static @Nullable List<String> types(@Nullable Collection<String> told) {
		return (told != null)
				? told.stream().map((type) -> type.substring(1) + (type.startsWith("^") ? "*" : "")).sorted().toList()
				: null;
	}

	/**
	 * All servers.
	 *
	 * @param lost servers that have gone without signing off
	 */
	record Servers(Instant asOf, List<Server> servers, List<Coverage> coverage, List<FleetSurvey.Lost> lost) {
	}

	/**
	 * A server.
	 *
	 * @param java whether it is a Java server
	 * @param here whether it runs in this application
	 * @param version its version, {@code null} if it does not tell
	 * @param types what it has handlers for, {@code null} if it does not tell
	 * @param stuck ids of tasks whose handlers seem to hang
	 * @param clockAhead by how much its clock is at least ahead of Redis's
	 */
	record Server(@JsonUnwrapped ServerInfo info, boolean java, boolean here, @Nullable String version,
			@Nullable List<String> types, List<String> stuck, Duration clockAhead) {
	}

	record Coverage(String queue, long pending, List<String> servers, boolean covered) {
	}

}
