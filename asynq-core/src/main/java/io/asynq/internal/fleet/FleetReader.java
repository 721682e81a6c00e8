package io.asynq.internal.fleet;

import java.util.List;
import java.util.Map;

import io.asynq.inspect.ClusterNode;
import io.asynq.inspect.EnqueueEvent;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.inspect.ServerInfo;

public interface FleetReader {

	/** On a cluster, some of this may lie on a master that does not answer. */
	boolean areSpread();

	List<ServerInfo> servers();

	boolean hasJavaServer(String queue);

	/** Counts the tasks in the prefetch buffers as of the last heartbeats. */
	Map<String, Long> held();

	List<SchedulerEntry> schedulerEntries();

	List<EnqueueEvent> enqueueEvents(String entryId, long offset, int limit);

	int keySlot(String queue);

	List<ClusterNode> nodes(String queue);

}
