package io.asynq.broker;

import java.util.Collection;
import java.util.List;
import java.util.Map;

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

	/**
	 * Returns which master serves each queue, as far as the cluster knows one.
	 * @param queues the queues
	 * @return the masters' addresses, {@code host:port}, by queue
	 * @throws io.asynq.AsynqException if Redis is no cluster
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	Map<String, String> masters(Collection<String> queues);

}
