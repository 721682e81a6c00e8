package io.asynq.broker.redis.driver;

import java.util.Collection;

/**
 * What a driver believes about who serves the slots of a cluster. Safe for concurrent
 * use.
 */
@FunctionalInterface
public interface ClusterView {

	/**
	 * Has the driver look again if a master of the cluster says that slots are served by
	 * others than the driver believes. Waits for at most two seconds, once the driver is
	 * connected, and throws nothing if no node answers.
	 */
	void check(Collection<Integer> slots);

	/** Returns the view of a driver that asks the cluster each time. */
	static ClusterView fresh() {
		return (slots) -> {
		};
	}

}
