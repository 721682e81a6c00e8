package io.asynq.broker;

import java.util.List;

/**
 * Tells where queues lie on a cluster (asynq O21). Safe for concurrent use.
 */
public interface ClusterReader {

	/**
	 * Returns the hash slot of a queue's keys.
	 * @param queue the queue
	 * @return 0 to 16383
	 * @throws io.asynq.AsynqException if Redis is no cluster
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	int keySlot(String queue);

	/**
	 * Returns the nodes that have a queue's keys, the master first.
	 * @param queue the queue
	 * @return the nodes
	 * @throws io.asynq.AsynqException if Redis is no cluster
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	List<ClusterNode> nodes(String queue);

}
