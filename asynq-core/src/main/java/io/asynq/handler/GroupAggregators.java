package io.asynq.handler;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

/**
 * Finds the aggregator for a group: one of its queue before one of all queues, then the
 * one with the longest prefix of the group's name. Safe for concurrent use; changes are
 * seen by the next group.
 */
public final class GroupAggregators {

	private final List<Route> routes = new CopyOnWriteArrayList<>();

	/**
	 * Registers an aggregator.
	 * @param queue its queue, "" for all queues
	 * @param prefix what the names of its groups begin with, "" for all groups
	 * @param aggregator the aggregator; its {@code toString()} tells users who it is
	 * @return these aggregators
	 * @throws IllegalArgumentException if there is one for the same queue and prefix
	 */
	public synchronized GroupAggregators add(String queue, String prefix, GroupAggregator aggregator) {
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
	public @Nullable GroupAggregator registered(String queue, String prefix) {
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
	public @Nullable GroupAggregator find(String queue, String group) {
		Route best = null;
		for (Route route : this.routes) {
			if (route.matches(queue, group) && (best == null || route.isStrongerThan(best))) {
				best = route;
			}
		}
		return (best != null) ? best.aggregator() : null;
	}

	/**
	 * Returns whether any group of a queue could have an aggregator.
	 * @param queue the queue
	 * @return whether there is one for it or for all queues
	 */
	public boolean isAnyFor(String queue) {
		return this.routes.stream().anyMatch((route) -> route.queue().isEmpty() || route.queue().equals(queue));
	}

	public boolean isEmpty() {
		return this.routes.isEmpty();
	}

	/**
	 * Lists the aggregators that are for other queues than some.
	 * @param queues the queues
	 * @return those that will never be asked by a server of these queues
	 */
	public List<Idle> idleBeside(Set<String> queues) {
		return this.routes.stream()
			.filter((route) -> !route.queue().isEmpty() && !queues.contains(route.queue()))
			.map((route) -> new Idle(route.queue(), route.aggregator()))
			.toList();
	}

	/**
	 * Describes for what an aggregator is.
	 * @param queue its queue, "" for all queues
	 * @param prefix the prefix of its groups, "" for all groups
	 * @return the words
	 */
	public static String describe(String queue, String prefix) {
		return (prefix.isEmpty() ? "all groups" : "groups beginning with '" + prefix + "'")
				+ (queue.isEmpty() ? " of all queues" : " of queue '" + queue + "'");
	}

	/**
	 * An aggregator without work.
	 *
	 * @param queue the queue it is for
	 * @param aggregator the aggregator
	 */
	public record Idle(String queue, GroupAggregator aggregator) {
	}

	private record Route(String queue, String prefix, GroupAggregator aggregator) {

		boolean matches(String queue, String group) {
			return (this.queue.isEmpty() || this.queue.equals(queue)) && group.startsWith(this.prefix);
		}

		boolean isStrongerThan(Route other) {
			return (this.queue.isEmpty() == other.queue.isEmpty()) ? this.prefix.length() > other.prefix.length()
					: other.queue.isEmpty();
		}

	}

}
