package io.asynq.console.http;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.asynq.console.ConsoleRight;
import io.asynq.operations.Problem;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls routes as the web part does, without it.
 */
public final class Calls {

	private final JsonMapper json = JsonMapper.builder().build();

	private final ConsoleRoutes routes = new ConsoleRoutes();

	private final ConsoleCaller caller;

	public Calls(Collection<ConsoleScreen> screens) {
		this(screens, Set.of(), Set.of());
	}

	/**
	 * @param refused rights that the caller does not have
	 * @param hiddenQueues queues that the caller may not see
	 */
	public Calls(Collection<ConsoleScreen> screens, Set<ConsoleRight> refused, Set<String> hiddenQueues) {
		this(screens, new ConsoleCaller("tester",
				(right, queue) -> !refused.contains(right) && (queue == null || !hiddenQueues.contains(queue))));
	}

	public Calls(Collection<ConsoleScreen> screens, ConsoleCaller caller) {
		screens.forEach((screen) -> screen.register(this.routes));
		this.caller = caller;
	}

	/**
	 * Asks for something.
	 * @param parameters names and values in turn
	 * @return the answer as it is sent
	 */
	public JsonNode get(String name, Object... parameters) {
		return toJson(call("GET", name, parameters));
	}

	/**
	 * Asks for a file.
	 */
	public ConsoleFile file(String name, Object... parameters) {
		return (ConsoleFile) call("GET", name, parameters);
	}

	/**
	 * Changes something, or counts in advance.
	 */
	public JsonNode post(String name, Object... fields) {
		Object answer = call("POST", name, fields);
		return toJson((answer instanceof ConsoleChange change) ? change.answer() : answer);
	}

	/**
	 * Returns an event as it is sent.
	 */
	public JsonNode toJson(Object value) {
		return this.json.readTree(this.json.writeValueAsBytes(value));
	}

	/**
	 * Returns what the front end knows an error by.
	 */
	public static String code(Throwable error) {
		if (error instanceof RuntimeException ex) {
			Problem problem = Problem.of(ex, LoggerFactory.getLogger(Calls.class));
			return problem.status() + " " + problem.code();
		}
		return "";
	}

	private Object call(String method, String name, Object... values) {
		Map<String, Object> all = new LinkedHashMap<>();
		for (int i = 0; i < values.length; i += 2) {
			if (values[i + 1] != null) {
				all.put((String) values[i], values[i + 1]);
			}
		}
		ConsoleRoutes.Route route = this.routes.find(method, name);
		if (route == null) {
			throw new IllegalArgumentException("There is no route " + name);
		}
		return route.handler().apply(new ConsoleCall(all, this.caller));
	}

}
