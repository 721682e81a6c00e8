package io.asynq.interop.oracle;

import tools.jackson.databind.JsonNode;

/**
 * One implementation, which executes the script.
 */
interface Actor extends AutoCloseable {

	/**
	 * Performs one operation.
	 * @return its result, or {@code {"error": "kind"}} if it was refused
	 */
	JsonNode perform(String command, JsonNode arguments);

	@Override
	void close();

}
