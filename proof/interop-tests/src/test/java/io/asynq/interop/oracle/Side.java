package io.asynq.interop.oracle;

import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.awaitility.Awaitility.await;

/**
 * One implementation with a database of its own.
 *
 * @param actor the implementation
 * @param database its database
 */
record Side(Actor actor, Database database) {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final String WORKER = "worker";

	/**
	 * Performs a step and waits until it is over. Times are relative to the start.
	 * @return the answer, as "answer" or its parts
	 */
	SortedMap<String, Cell> perform(Step step, Instant start) {
		JsonNode arguments = Script.at(step.arguments(), start);
		SortedMap<String, Cell> answer = new TreeMap<>();
		switch (step.command()) {
			case "redis" -> {
				this.database.run(arguments.required("commands"));
				awaitSizes(step);
			}
			case "work" -> work(step, arguments);
			default -> {
				// Schedulers publish their state with the heartbeat
				double tolerance = step.command().startsWith("scheduler") ? Cells.HEARTBEAT_TOLERANCE : Cells.TOLERANCE;
				flatten("answer", this.actor.perform(step.command(), arguments), start, tolerance, answer);
				awaitSizes(step);
			}
		}
		return answer;
	}

	/**
	 * Runs a server until the database has the expected state.
	 */
	private void work(Step step, JsonNode arguments) {
		ObjectNode server = JsonMapper.shared().createObjectNode();
		server.put("name", WORKER).put("concurrency", 1).put("shutdown", 2000);
		server.put("retryDelay", 3_600_000).put("forward", 3_600_000).put("janitor", 3_600_000);
		server.setAll((ObjectNode) arguments);
		this.actor.perform("server.start", server);
		try {
			awaitSizes(step);
		}
		finally {
			this.actor.perform("server.stop", JsonMapper.shared().createObjectNode().put("name", WORKER));
		}
	}

	private void awaitSizes(Step step) {
		await("step '" + step + "' of " + this.actor).atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(20))
			.until(() -> this.database.has(step.until()));
	}

	private static void flatten(String path, JsonNode node, Instant start, double tolerance,
			SortedMap<String, Cell> cells) {
		if (node.isObject() && !node.isEmpty()) {
			node.forEachEntry((name, value) -> flatten(path + "." + name, value, start, tolerance, cells));
		}
		else if (node.isArray() && !node.isEmpty()) {
			int index = 0;
			for (JsonNode value : node) {
				flatten(path + "[" + (index++) + "]", value, start, tolerance, cells);
			}
		}
		else if (node.isNumber() && node.asLong() > start.getEpochSecond() / 2) {
			cells.put(path, new Cell.Time(node.asLong() - start.getEpochSecond(), tolerance));
		}
		else if (!node.isNull() && !node.isMissingNode()) {
			cells.put(path, new Cell.Text(Names.normalised(node.toString())));
		}
	}

}
