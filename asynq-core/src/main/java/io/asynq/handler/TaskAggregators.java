package io.asynq.handler;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

/**
 * Finds the aggregator of a group. One for its queue takes precedence over one for all
 * queues, then one with a longer prefix of the group's name over one with a shorter. Safe
 * for concurrent use; a change applies from the next group on.
 */
public final class TaskAggregators {

	private final List<Route> routes = new CopyOnWriteArrayList<>();

	/**
	 * Registers an aggregator.
	 * @param queue its queue, "" for all queues
	 * @param prefix prefix of the names of its groups, "" for all groups
	 * @param aggregator the aggregator; its {@code toString()} is shown in the log
	 * @return these aggregators
	 * @throws IllegalArgumentException if the same queue and prefix already have one
	 */
	public synchronized TaskAggregators add(String queue, String prefix, TaskAggregatorFunction aggregator) {
		if (registered(queue, prefix) != null) {
			throw new IllegalArgumentException("There is an aggregator for " + describe(queue, prefix) + " already");
		}
		this.routes.add(new Route(queue, prefix, aggregator));
		return this;
	}

	/**
	 * Returns the aggregator registered for exactly this queue and prefix.
	 * @param queue the queue, "" for all queues
	 * @param prefix the prefix, "" for all groups
	 * @return the aggregator, {@code null} if there is none
	 */
	public @Nullable TaskAggregatorFunction registered(String queue, String prefix) {
		return this.routes.stream()
			.filter((route) -> route.queue().equals(queue) && route.prefix().equals(prefix))
			.findFirst()
			.map(Route::aggregator)
			.orElse(null);
	}

	/**
	 * Finds the aggregator of a group.
	 * @param queue the queue
	 * @param group the group
	 * @return the aggregator, {@code null} if there is none
	 */
	public @Nullable TaskAggregatorFunction find(String queue, String group) {
		Route best = null;
		for (Route route : this.routes) {
			if (route.matches(queue, group) && (best == null || route.isStrongerThan(best))) {
				best = route;
			}
		}
		return (best != null) ? best.aggregator() : null;
	}

	/**
	 * Tells whether groups of a queue can have an aggregator.
	 * @param queue the queue
	 * @return whether there is an aggregator for the queue or for all queues
	 */
	public boolean isAnyFor(String queue) {
		return this.routes.stream().anyMatch((route) -> route.queue().isEmpty() || route.queue().equals(queue));
	}

	public boolean isEmpty() {
		return this.routes.isEmpty();
	}

	/**
	 * Returns the aggregators that a server never calls, because they are for other
	 * queues.
	 * @param queues the queues of the server
	 * @return the aggregators
	 */
	public List<Idle> idleBeside(Set<String> queues) {
		return this.routes.stream()
			.filter((route) -> !route.queue().isEmpty() && !queues.contains(route.queue()))
			.map((route) -> new Idle(route.queue(), route.aggregator()))
			.toList();
	}

	/**
	 * Describes the aggregators.
	 * @return a line for each, in the order of registration: its groups and its
	 * {@code toString()}
	 */
	public List<String> describe() {
		return this.routes.stream()
			.map((route) -> describe(route.queue(), route.prefix()) + ": " + route.aggregator())
			.toList();
	}

	/**
	 * Describes the groups of an aggregator.
	 * @param queue its queue, "" for all queues
	 * @param prefix the prefix of its groups, "" for all groups
	 * @return the description
	 */
	public static String describe(String queue, String prefix) {
		return (prefix.isEmpty() ? "all groups" : "groups beginning with '" + prefix + "'")
				+ (queue.isEmpty() ? " of all queues" : " of queue '" + queue + "'");
	}

	/**
	 * An aggregator that is never called.
	 *
	 * @param queue the queue it is for
	 * @param aggregator the aggregator
	 */
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
