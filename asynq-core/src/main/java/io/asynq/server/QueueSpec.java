package io.asynq.server;

import java.util.List;

import io.asynq.group.GroupLimits;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one queue of a server.
 *
 * @param weight at least 1: the queue's share, or its rank with strict priority
 * @param groupLimits when its groups are aggregated, {@code null} for the limits of all
 * queues
 * @param limits names of limits over all servers that apply to all of its tasks
 */
public record QueueSpec(int weight, @Nullable GroupLimits groupLimits, List<String> limits) {

	public QueueSpec {
		limits = List.copyOf(limits);
		if (weight < 1) {
			throw new IllegalArgumentException("weight must be at least 1, but is " + weight);
		}
	}

	/** Returns settings that consist of a weight only, which is at least 1. */
	public static QueueSpec ofWeight(int weight) {
		return new QueueSpec(weight, null, List.of());
	}

	public QueueSpec withGroupLimits(GroupLimits groupLimits) {
		return new QueueSpec(this.weight, groupLimits, this.limits);
	}

	/** Returns the same settings with limits over all servers, given by name. */
	public QueueSpec withLimits(List<String> limits) {
		return new QueueSpec(this.weight, this.groupLimits, limits);
	}

}
