package io.asynq.internal.inspect;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.asynq.inspect.DailyStats;
import io.asynq.inspect.GroupInfo;
import io.asynq.inspect.Listing;
import io.asynq.inspect.QueueStats;
import org.jspecify.annotations.Nullable;

/** No call costs more when there are more tasks. */
public interface QueueReader {

	Set<String> queues();

	Optional<QueueStats> stats(String queue);

	boolean exists(String queue);

	List<DailyStats> history(String queue, LocalDate last, int days);

	List<GroupInfo> groups(String queue);

	/** In no order; a group may be listed twice while groups come and go. */
	Listing<GroupInfo> groups(String queue, @Nullable String cursor, int size);

	long groupSize(String queue, String group);

	/** An estimate in bytes from a few tasks of each state. */
	long memoryUsage(String queue);

	/**
	 * Also fails if Redis is too old, refuses its user, or is a single node of a cluster.
	 */
	void ping();

}
