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
import io.asynq.TaskState;
import io.asynq.broker.limit.LimitReader;
import io.asynq.broker.survey.FleetSurvey;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleException;
import io.asynq.console.http.ConsoleRoutes;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.info.LimitInfo;
import io.asynq.info.LimitKeyInfo;
import io.asynq.info.QueueInfo;
import io.asynq.info.ServerInfo;
import io.asynq.info.WorkerInfo;
import io.asynq.operate.Confidential;
import io.asynq.operate.attention.Remembered;
import io.asynq.operate.attention.Stuck;
import org.jspecify.annotations.Nullable;

final class FleetScreen implements ConsoleScreen {

	private static final int MOST_QUEUES = 1000;

	private static final Duration LIMITS_AGE = Duration.ofSeconds(2);

	private static final int MOST_KEYS = 100;

	private static final int MOST_LIMITS = 100;

	private final Remembered<State> state;

	private final OwnProcess own;

	private final LimitReader limits;

	private final Remembered<List<LimitInfo>> allLimits;

	private final Map<String, Remembered<LimitKeys>> keys = new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Remembered<LimitKeys>> eldest) {
			return size() > MOST_LIMITS;
		}

	};

	private final Clock clock;

	FleetScreen(Remembered<State> state, OwnProcess own, LimitReader limits, Clock clock) {
		this.state = state;
		this.own = own;
		this.limits = limits;
		this.allLimits = new Remembered<>(limits::limits, LIMITS_AGE);
		this.clock = clock;
	}

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("servers", this::servers);
		routes.get("limit-keys", this::limitKeys);
	}

	private Servers servers(ConsoleCall call) {
		Viewer viewer = Viewer.of(call);
		State state = this.state.get();
		FleetSurvey.Fleet seen = state.fleet();
		Instant now = this.clock.instant();
		List<Server> servers = seen.live().stream().map((server) -> server(server, viewer, now)).toList();
		return new Servers(state.board().at(), servers, coverage(state, viewer),
				seesAll(viewer, state) ? this.allLimits.get() : List.of(), seen.lost());
	}

	private LimitKeys limitKeys(ConsoleCall call) {
		String limit = call.required("id");
		if (!seesAll(Viewer.of(call), this.state.get())) {
			throw new ConsoleException(403, "forbidden", "Limits are over all queues, and you may not see all of them");
		}
		Remembered<LimitKeys> known;
		synchronized (this.keys) {
			known = this.keys.computeIfAbsent(limit, (name) -> new Remembered<>(
					() -> new LimitKeys(this.clock.instant(), this.limits.keys(name, MOST_KEYS)), LIMITS_AGE));
		}
		return known.get();
	}

	/** Names and keys of limits may come from tasks of any queue. */
	private static boolean seesAll(Viewer viewer, State state) {
		return state.board().queues().stream().allMatch((queue) -> viewer.sees(queue.queue()));
	}

	private Server server(FleetSurvey.Live server, Viewer viewer, Instant now) {
		ServerInfo info = Confidential.hide(server.info());
		List<WorkerInfo> workers = info.workers().stream().filter((worker) -> viewer.sees(worker.queue())).toList();
		List<String> stuck = workers.stream()
			.filter((worker) -> Stuck.is(worker, now))
			.map(WorkerInfo::taskId)
			.toList();
		return new Server(
				new ServerInfo(info.id(), info.host(), info.pid(), info.concurrency(), visible(info.queues(), viewer),
						info.strictPriority(), info.status(), info.startedAt(), workers, visible(info.held(), viewer)),
				server.isJava(), this.own.isServer(info.pid(), info.host()), this.own.versionOf(info),
				types(server.served().types()), stuck, server.ahead());
	}

	private static Map<String, Integer> visible(Map<String, Integer> byQueue, Viewer viewer) {
		Map<String, Integer> visible = new TreeMap<>(byQueue);
		visible.keySet().removeIf((queue) -> !viewer.sees(queue));
		return visible;
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

	private static @Nullable List<String> types(@Nullable Collection<String> told) {
		return (told != null)
				? told.stream().map((type) -> type.substring(1) + (type.startsWith("^") ? "*" : "")).sorted().toList()
				: null;
	}

	record Servers(Instant asOf, List<Server> servers, List<Coverage> coverage, List<LimitInfo> limits,
			List<FleetSurvey.Lost> lost) {
	}

	record LimitKeys(Instant asOf, List<LimitKeyInfo> entries) {
	}

	record Server(@JsonUnwrapped ServerInfo info, boolean java, boolean here, @Nullable String version,
			@Nullable List<String> types, List<String> stuck, Duration clockAhead) {
	}

	record Coverage(String queue, long pending, List<String> servers, boolean covered) {
	}

}
