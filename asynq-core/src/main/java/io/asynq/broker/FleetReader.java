package io.asynq.broker;

import java.util.List;

/**
 * Reads which servers and schedulers live, Go's included. Writes nothing. Safe for
 * concurrent use.
 */
public interface FleetReader {

	/**
	 * Lists servers whose entry has not expired.
	 * @return the servers
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	List<ServerInfo> servers();

	/**
	 * Lists the periodic tasks of schedulers whose entries have not expired.
	 * @return the entries
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	List<SchedulerEntry> schedulerEntries();

	/**
	 * Lists what a periodic task has enqueued, newest first.
	 * @param entryId the entry's id
	 * @param offset how many to pass over
	 * @param limit how many at most
	 * @return the events, empty beyond the last
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	List<EnqueueEvent> enqueueEvents(String entryId, long offset, int limit);

}
