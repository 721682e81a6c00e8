package io.asynq.broker.survey;

import java.util.List;
import java.util.Map;

/**
 * Reads what Redis tells of itself. Changes nothing. Safe for concurrent use.
 */
public interface StoreSurvey {

	/**
	 * Lists the Redis servers that hold queues.
	 * @throws io.asynq.BrokerException if Redis cannot be reached, or does not let its
	 * user ask
	 */
	List<Node> nodes();

	/**
	 * A Redis server.
	 *
	 * @param address its address, empty for the only one
	 * @param info what INFO says, by name
	 * @param slots how many hash slots it has, 0 for the only one
	 */
	record Node(String address, Map<String, String> info, int slots) {
	}

}
