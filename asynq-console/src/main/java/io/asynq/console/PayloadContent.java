package io.asynq.console;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A payload or a result that is about to be shown.
 *
 * @param queue the queue of its task
 * @param type the type of its task
 * @param taskId the id of its task
 * @param part what it is
 * @param headers the headers of its task
 * @param bytes the bytes; not to be changed
 */
public record PayloadContent(String queue, String type, String taskId, Part part, Map<String, @Nullable String> headers,
		byte[] bytes) {

	/** Returns the same with other bytes. */
	public PayloadContent withBytes(byte[] other) {
		return new PayloadContent(this.queue, this.type, this.taskId, this.part, this.headers, other);
	}

	/**
	 * What a content is.
	 */
	public enum Part {

		/** What the handler gets. */
		PAYLOAD,

		/** What the handler has written. */
		RESULT

	}

}
