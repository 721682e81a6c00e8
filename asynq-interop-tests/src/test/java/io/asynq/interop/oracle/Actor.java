package io.asynq.interop.oracle;

import tools.jackson.databind.JsonNode;

/**
 * One implementation, doing what the script says.
 */
interface Actor extends AutoCloseable {

	/**
	 * Does one operation.
	 * @param command what
	 * @param arguments with what
	 * @return what it answers: a result, or {@code {"error": "kind"}} where it refuses
	 */
	JsonNode perform(String command, JsonNode arguments);

	@Override
	void close();

}
