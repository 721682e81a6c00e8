package io.asynq.internal.redis.driver;

import java.util.Collection;

/** What a driver believes about who serves the slots of a cluster. */
@FunctionalInterface
public interface ClusterView {

	/** Has the driver look again if a master contradicts it; two seconds at most. */
	void check(Collection<Integer> slots);

	/** For a driver that asks the cluster each time. */
	static ClusterView fresh() {
		return (slots) -> {
		};
	}

}
