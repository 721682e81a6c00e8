package io.asynq.broker;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.asynq.info.DailyStats;
import io.asynq.info.GroupInfo;
import io.asynq.info.Listing;
import io.asynq.info.QueueStats;
import org.jspecify.annotations.Nullable;

/**
 * Reads queues. No call costs more when there are more tasks. Safe for concurrent use.
 */
public interface QueueReader {

	/** Lists the names of all queues. */
	Set<String> queues();

	/**
	 * Reads a queue.
	 * @return its numbers, empty if there is no such queue
	 */
	Optional<QueueStats> stats(String queue);

	/** Returns whether a queue is listed. */
	boolean exists(String queue);

	/**
	 * Reads the counters of days.
	 * @param last the last of the days
	 * @param days how many days, that one included
	 * @return the days, the last one first
	 */
	List<DailyStats> history(String queue, LocalDate last, int days);

	/**
	 * Lists the groups of a queue.
	 * @return the groups by name
	 */
	List<GroupInfo> groups(String queue);

	/**
	 * Lists some groups of a queue, in no order.
	 * @param cursor where to go on, {@code null} to begin
	 * @param size about how many
	 * @return the groups; one may be listed twice while groups come and go
	 */
	Listing<GroupInfo> groups(String queue, @Nullable String cursor, int size);

	/** Returns how many tasks wait in a group. */
	long groupSize(String queue, String group);

	/**
	 * Estimates how much memory a queue takes, from a few tasks of each state.
	 * @return the estimate in bytes
	 */
	long memoryUsage(String queue);

	/**
	 * Checks that Redis answers and can be used: it is new enough, accepts its user, and
	 * is not a single node of a cluster.
	 * @throws io.asynq.BrokerException if not, with the reason and how to fix it
	 */
	void ping();

}
