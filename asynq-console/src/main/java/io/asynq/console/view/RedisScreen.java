package io.asynq.console.view;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleRoutes;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.ClusterNode;
import io.asynq.operations.attention.Dated;
import io.asynq.operations.attention.Remembered;
import io.asynq.operations.preflight.Finding;
import io.asynq.operations.preflight.StoreSurvey;
import org.jspecify.annotations.Nullable;

final class RedisScreen implements ConsoleScreen {

	private static final int MOST_PLACES = 200;

	private final StateReader state;

	private final Remembered<List<Place>> places;

	RedisScreen(StateReader state, AsynqInspector inspector, Duration age) {
		this.state = state;
		this.places = new Remembered<>(() -> places(inspector), age);
	}

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("redis", this::redis);
	}

	private Redis redis(ConsoleCall call) {
		List<Warning> warnings = new ArrayList<>();
		Dated<List<Finding>> findings = this.state.findings();
		for (Finding finding : findings.value()) {
			warnings.add(new Warning("warning", finding.problem() + ". To do: " + finding.fix()));
		}
		Dated<List<StoreSurvey.Node>> read = this.state.nodes();
		List<StoreSurvey.Node> nodes = read.value();
		if (nodes.isEmpty()) {
			warnings.add(new Warning("info", "Redis does not let its user ask for INFO, so most is not shown here"));
		}
		Map<String, Map<String, String>> sections = new LinkedHashMap<>();
		for (StoreSurvey.Node node : nodes) {
			node.info()
				.forEach((name, value) -> sections
					.computeIfAbsent(prefix(node) + section(name), (key) -> new TreeMap<>())
					.put(name, value));
		}
		Map<String, String> first = nodes.isEmpty() ? Map.of() : nodes.get(0).info();
		String persistence = (nodes.isEmpty() ? "" : prefix(nodes.get(0))) + "persistence";
		boolean cluster = nodes.size() > 1 || nodes.stream().anyMatch((node) -> node.slots() > 0);
		return new Redis(read.at(), sections, first.get("maxmemory_policy"),
				sections.getOrDefault(persistence, Map.of()), warnings, findings.at(),
				cluster ? this.places.get().stream().filter((place) -> call.caller().sees(place.queue())).toList()
						: null);
	}

	private static String prefix(StoreSurvey.Node node) {
		return node.address().isEmpty() ? "" : node.address() + " ";
	}

	private static List<Place> places(AsynqInspector inspector) {
		return inspector.queues()
			.stream()
			.limit(MOST_PLACES)
			.map((queue) -> new Place(queue, inspector.clusterKeySlot(queue), inspector.clusterNodes(queue)))
			.toList();
	}

	/** Drivers drop the headings of INFO. */
	private static String section(String name) {
		if (name.startsWith("rdb_") || name.startsWith("aof_") || name.startsWith("current_")
				|| name.equals("loading")) {
			return "persistence";
		}
		if (name.contains("memory") || name.startsWith("mem_") || name.startsWith("allocator")
				|| name.endsWith("_bytes") || name.startsWith("lazyfree")) {
			return "memory";
		}
		if (name.contains("client") || name.contains("blocked")) {
			return "clients";
		}
		if (name.startsWith("redis_") || name.startsWith("uptime") || name.equals("os") || name.startsWith("process")
				|| name.equals("tcp_port") || name.equals("run_id") || name.endsWith("file")
				|| name.equals("executable")) {
			return "server";
		}
		if (name.startsWith("role") || name.contains("repl") || name.contains("slave") || name.contains("master")) {
			return "replication";
		}
		if (name.startsWith("cluster_")) {
			return "cluster";
		}
		return name.startsWith("db") ? "keyspace" : "stats";
	}

	record Redis(Instant asOf, Map<String, Map<String, String>> sections, @Nullable String policy,
			Map<String, String> persistence, List<Warning> preflight, Instant checkedAt, @Nullable List<Place> slots) {
	}

	record Warning(String severity, String text) {
	}

	record Place(String queue, int slot, List<ClusterNode> nodes) {
	}

}
