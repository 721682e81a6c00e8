package io.asynq.broker.redis.driver;

import java.util.Collection;

/**
 * What a driver believes about who serves the slots of a cluster.
 */
@FunctionalInterface
public interface ClusterView {

	/**
	 * Has the driver look again if a master contradicts it; waits two seconds at most,
	 * once the driver is connected, and throws nothing if no node answers.
	 */
	void check(Collection<Integer> slots);

	/** For a driver that asks the cluster each time. */
	static ClusterView fresh() {
		return (slots) -> {
		};
	}

}
