package io.asynq.server;

import io.asynq.broker.message.GroupLimits;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one queue of a server.
 *
 * @param weight at least 1: the queue's share of the work, or its rank with strict
 * priority
 * @param groupLimits when groups of the queue are aggregated, {@code null} for the limits
 * of all queues
 */
public record QueueSpec(int weight, @Nullable GroupLimits groupLimits) {

	public QueueSpec {
		if (weight < 1) {
			throw new IllegalArgumentException("weight must be at least 1, but is " + weight);
		}
	}

	/**
	 * Returns settings that consist of a weight only.
	 * @param weight at least 1
	 * @return the settings
	 */
	public static QueueSpec ofWeight(int weight) {
		return new QueueSpec(weight, null);
	}

	public QueueSpec withGroupLimits(GroupLimits groupLimits) {
		return new QueueSpec(this.weight, groupLimits);
	}

}
