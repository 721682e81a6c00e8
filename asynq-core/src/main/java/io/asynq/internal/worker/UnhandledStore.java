package io.asynq.internal.worker;

import java.time.Duration;
import java.util.List;

/** Tasks in retry because no server that took them has a handler for their type. */
public interface UnhandledStore {

	int MOST_TYPES = 100;

	/** Types that were put off least come first. */
	List<Waiting> waiting(String queue);

	/** Tasks older than {@code maxAge} become due, for a server to archive. */
	void putOff(String queue, Waiting type, Duration maxAge);

	/** Tasks that were tried meanwhile keep the time of their retry. */
	void release(String queue, Waiting type);

	/** {@code until} is in seconds since the epoch, 0 if never put off. */
	record Waiting(String type, long tasks, long until) {
	}

}
