package io.asynq.internal.inspect;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.inspect.QueueStats;

/** Few calls, as metrics need; a queue that cannot be read harms no other. */
public interface ManyQueues {

	Set<String> names();

	/** The cost does not grow with the number of tasks. */
	Answer<QueueStats> stats(Collection<String> queues);

	Map<String, Long> consumers();

	/** An estimate in bytes from a few tasks of each state. */
	Answer<Long> memoryUsage(Map<String, QueueStats> queues);

	record Answer<T>(Map<String, T> values, Map<String, AsynqException> errors) {
	}

}
