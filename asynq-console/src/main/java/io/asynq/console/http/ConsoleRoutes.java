package io.asynq.console.http;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

import io.asynq.console.ConsoleRight;
import org.jspecify.annotations.Nullable;

/**
 * The routes below {@code api/v1/}; what handlers throw becomes a problem document.
 */
public final class ConsoleRoutes {

	private final Map<String, Route> gets = new TreeMap<>();

	private final Map<String, Route> posts = new TreeMap<>();

	public ConsoleRoutes get(String name, Function<ConsoleCall, Object> answer) {
		return add(this.gets, name, new Route(name, ConsoleRight.LOOK, false, answer));
	}

	/** A POST that changes nothing needs no more than a GET, and is not audited. */
	public ConsoleRoutes ask(String name, Function<ConsoleCall, Object> answer) {
		return add(this.posts, name, new Route(name, ConsoleRight.LOOK, false, answer));
	}

	/** Access, right, reason and headers are checked before; audited, refused or not. */
	public ConsoleRoutes post(String name, ConsoleRight right, Function<ConsoleCall, ConsoleChange> change) {
		return add(this.posts, name, new Route(name, right, true, change::apply));
	}

	@Nullable Route find(String method, String name) {
		return (method.equals("POST") ? this.posts : this.gets).get(name);
	}

	boolean isKnown(String name) {
		return this.gets.containsKey(name) || this.posts.containsKey(name);
	}

	private ConsoleRoutes add(Map<String, Route> routes, String name, Route route) {
		if (routes.putIfAbsent(name, route) != null) {
			throw new IllegalStateException("Route '" + name + "' is registered twice");
		}
		return this;
	}

	record Route(String name, ConsoleRight right, boolean changes, Function<ConsoleCall, ?> handler) {
	}

}
