package io.asynq.handler;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

/**
 * An aggregator for the queue takes precedence over one for all queues, then one with a
 * longer prefix of the group's name over one with a shorter.
 */
public final class TaskAggregators {

	private final List<Route> routes = new CopyOnWriteArrayList<>();

	public synchronized TaskAggregators add(String queue, String prefix, TaskAggregatorFunction aggregator) {
		if (registered(queue, prefix) != null) {
			throw new IllegalArgumentException("There is an aggregator for " + describe(queue, prefix) + " already");
		}
		this.routes.add(new Route(queue, prefix, aggregator));
		return this;
	}

	public @Nullable TaskAggregatorFunction registered(String queue, String prefix) {
		return this.routes.stream()
			.filter((route) -> route.queue().equals(queue) && route.prefix().equals(prefix))
			.findFirst()
			.map(Route::aggregator)
			.orElse(null);
	}

	public @Nullable TaskAggregatorFunction find(String queue, String group) {
		Route best = null;
		for (Route route : this.routes) {
			if (route.matches(queue, group) && (best == null || route.isStrongerThan(best))) {
				best = route;
			}
		}
		return (best != null) ? best.aggregator() : null;
	}

	public boolean isAnyFor(String queue) {
		return this.routes.stream().anyMatch((route) -> route.queue().isEmpty() || route.queue().equals(queue));
	}

	public boolean isEmpty() {
		return this.routes.isEmpty();
	}

	/**
	 * Never called by a server of these queues.
	 */
	public List<Idle> idleBeside(Set<String> queues) {
		return this.routes.stream()
			.filter((route) -> !route.queue().isEmpty() && !queues.contains(route.queue()))
			.map((route) -> new Idle(route.queue(), route.aggregator()))
			.toList();
	}

	public List<String> describe() {
		return this.routes.stream()
			.map((route) -> describe(route.queue(), route.prefix()) + ": " + route.aggregator())
			.toList();
	}

	public static String describe(String queue, String prefix) {
		return (prefix.isEmpty() ? "all groups" : "groups beginning with '" + prefix + "'")
				+ (queue.isEmpty() ? " of all queues" : " of queue '" + queue + "'");
	}

	public record Idle(String queue, TaskAggregatorFunction aggregator) {
	}

	private record Route(String queue, String prefix, TaskAggregatorFunction aggregator) {

		boolean matches(String queue, String group) {
			return (this.queue.isEmpty() || this.queue.equals(queue)) && group.startsWith(this.prefix);
		}

		boolean isStrongerThan(Route other) {
			return (this.queue.isEmpty() == other.queue.isEmpty()) ? this.prefix.length() > other.prefix.length()
					: other.queue.isEmpty();
		}

	}

}
