package io.asynq.archfixture.lifecycle;

import java.util.Set;

import io.asynq.broker.QueueReader;

/**
 * Breaks the rule that no timer iterates over all queues.
 */
public class LoopThatGoesOverAllQueues {

	Set<String> all(QueueReader reader) {
		return reader.queues();
	}

}
