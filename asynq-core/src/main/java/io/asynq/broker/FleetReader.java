package io.asynq.broker;

import java.util.List;
import java.util.Map;

import io.asynq.info.ClusterNode;
import io.asynq.info.EnqueueEvent;
import io.asynq.info.SchedulerEntry;
import io.asynq.info.ServerInfo;

/**
 * Reads which servers and schedulers are alive, Go's included, and which cluster nodes
 * hold a queue. Writes nothing. Safe for concurrent use.
 */
public interface FleetReader {

	/**
	 * Returns whether Redis is a cluster, on which some of this may lie on a master that
	 * does not answer.
	 * @throws io.asynq.BrokerException if Redis cannot be reached
	 */
	boolean areSpread();

	/** Lists servers whose entry has not expired. */
	List<ServerInfo> servers();

	/**
	 * Returns whether a Java server that takes tasks from a queue is alive.
	 */
	boolean hasJavaServer(String queue);

	/**
	 * Returns how many tasks live servers have fetched ahead of their workers, as of
	 * their last heartbeats and as far as these can be read.
	 * @return the number by queue, without queues of which none is held
	 */
	Map<String, Long> held();

	/** Lists the periodic tasks of schedulers whose entries have not expired. */
	List<SchedulerEntry> schedulerEntries();

	/**
	 * Lists what a periodic task has enqueued, newest first.
	 * @param offset how many to pass over
	 * @param limit how many at most
	 * @return the events, empty beyond the last
	 */
	List<EnqueueEvent> enqueueEvents(String entryId, long offset, int limit);

	/**
	 * Returns the hash slot of a queue's keys.
	 * @return 0 to 16383
	 * @throws io.asynq.AsynqException if Redis is no cluster
	 */
	int keySlot(String queue);

	/**
	 * Returns the nodes that have a queue's keys, the master first.
	 * @throws io.asynq.AsynqException if Redis is no cluster
	 */
	List<ClusterNode> nodes(String queue);

}
