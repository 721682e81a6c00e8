package io.asynq.console.view;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.asynq.Broker;
import io.asynq.TaskState;
import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleCaller;
import io.asynq.console.http.ConsoleChange;
import io.asynq.console.http.ConsoleException;
import io.asynq.console.http.ConsoleRoutes;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.LimitInfo;
import io.asynq.inspect.QueueInfo;
import io.asynq.inspect.ServerInfo;
import io.asynq.inspect.WorkerInfo;
import io.asynq.operations.Confidential;
import io.asynq.operations.ServerOperations;
import io.asynq.operations.attention.Remembered;
import io.asynq.operations.attention.Stuck;
import io.asynq.operations.survey.FleetSurvey;
import io.asynq.server.AsynqServer;
import org.jspecify.annotations.Nullable;

final class FleetScreen implements ConsoleScreen {

	private static final int MOST_QUEUES = 1000;

	private static final Duration LIMITS_AGE = Duration.ofSeconds(2);

	private static final int MOST_KEYS = 100;

	private static final int MOST_LIMITS = 100;

	private final Remembered<State> state;

	private final ServerOperations operations;

	private final boolean servesHere;

	private final AsynqInspector inspector;

	private final Remembered<List<LimitInfo>> allLimits;

	private final Map<String, Remembered<LimitKeys>> keys = new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Remembered<LimitKeys>> eldest) {
			return size() > MOST_LIMITS;
		}

	};

	private final Clock clock;

	FleetScreen(Remembered<State> state, AsynqInspector inspector, Broker broker, @Nullable AsynqServer own,
			Clock clock) {
		this.state = state;
		this.operations = new ServerOperations(inspector, broker, clock, own);
		this.servesHere = own != null;
		this.inspector = inspector;
		this.allLimits = new Remembered<>(inspector::limits, LIMITS_AGE);
		this.clock = clock;
	}

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("servers", this::servers);
		routes.get("limit-keys", this::limitKeys);
		routes.post("server/quiet", ConsoleRight.ACT, (call) -> server(call, true));
		routes.post("server/resume", ConsoleRight.ACT, (call) -> server(call, false));
	}

	private Servers servers(ConsoleCall call) {
		ConsoleCaller viewer = call.caller();
		State state = this.state.get();
		FleetSurvey.Fleet seen = state.fleet();
		Instant now = this.clock.instant();
		List<Server> servers = seen.live().stream().map((server) -> server(server, viewer, now)).toList();
		return new Servers(state.board().at(), servers, coverage(state, viewer),
				seesAll(viewer, state) ? this.allLimits.get() : List.of(), seen.lost());
	}

	private LimitKeys limitKeys(ConsoleCall call) {
		String limit = call.required("id");
		if (!seesAll(call.caller(), this.state.get())) {
			throw new ConsoleException(403, "forbidden", "Limits are over all queues, and you may not see all of them");
		}
		Remembered<LimitKeys> known;
		synchronized (this.keys) {
			known = this.keys.computeIfAbsent(limit,
					(name) -> new Remembered<>(
							() -> new LimitKeys(this.clock.instant(), this.inspector.limitKeys(name, MOST_KEYS)),
							LIMITS_AGE));
		}
		return known.get();
	}

	/** Names and keys of limits may come from tasks of any queue. */
	private static boolean seesAll(ConsoleCaller viewer, State state) {
		return state.board().queues().stream().allMatch((queue) -> viewer.sees(queue.queue()));
	}

	private Server server(FleetSurvey.Live server, ConsoleCaller viewer, Instant now) {
		ServerInfo info = Confidential.hide(server.info());
		Collection<String> types = server.served().types();
		boolean here = this.servesHere && ServerOperations.isHere(info);
		List<WorkerInfo> workers = info.workers().stream().filter((worker) -> viewer.sees(worker.queue())).toList();
		List<String> stuck = workers.stream()
			.filter((worker) -> Stuck.is(worker, now))
			.map(WorkerInfo::taskId)
			.toList();
		return new Server(
				new ServerInfo(info.id(), info.host(), info.pid(), info.concurrency(), visible(info.queues(), viewer),
						info.strictPriority(), info.status(), info.startedAt(), workers, visible(info.held(), viewer)),
				server.isJava(), here, here ? AsynqServer.class.getPackage().getImplementationVersion() : null,
				(types != null) ? types.stream().map(FleetScreen::written).sorted().toList() : null, stuck,
				server.ahead());
	}

	/** That of this application does it at once. */
	private ConsoleChange server(ConsoleCall call, boolean quiet) {
		// A server works on other queues too, whichever the call names
		call.require(ConsoleRight.ACT, null);
		String id = call.text("id");
		if (id == null || this.operations.servers()
			.stream()
			.anyMatch((live) -> live.id().equals(id) && ServerOperations.isHere(live))) {
			return ConsoleChange.done(quiet ? this.operations.quiet() : this.operations.resume(), 1);
		}
		return ConsoleChange.done(this.operations.ask(id, quiet), 1);
	}

	private static Map<String, Integer> visible(Map<String, Integer> byQueue, ConsoleCaller viewer) {
		Map<String, Integer> visible = new TreeMap<>(byQueue);
		visible.keySet().removeIf((queue) -> !viewer.sees(queue));
		return visible;
	}

	private List<Coverage> coverage(State state, ConsoleCaller viewer) {
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

	/** As people write them: prefixes with a star. */
	static String written(String type) {
		return type.substring(1) + (type.startsWith("^") ? "*" : "");
	}

	record Servers(Instant asOf, List<Server> servers, List<Coverage> coverage, List<LimitInfo> limits,
			List<FleetSurvey.Lost> lost) {
	}

	record LimitKeys(Instant asOf, List<LimitInfo.Key> entries) {
	}

	record Server(@JsonUnwrapped ServerInfo info, boolean java, boolean here, @Nullable String version,
			@Nullable List<String> types, List<String> stuck, Duration clockAhead) {
	}

	record Coverage(String queue, long pending, List<String> servers, boolean covered) {
	}

}
