package io.asynq;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A task that is about to be stored, as an {@link EnqueueInterceptor} sees it. Used by
 * one thread.
 */
public interface OutgoingTask {

	/**
	 * Returns the id that the task will have.
	 */
	String id();

	/**
	 * Returns the queue that takes the task.
	 */
	String queue();

	/**
	 * Returns the task's type.
	 */
	String type();

	/**
	 * Returns the payload, not copied; {@code null} if there is none.
	 */
	byte @Nullable [] payload();

	/**
	 * Returns an unmodifiable view of the headers, with those that were added up to now.
	 */
	Map<String, String> headers();

	/**
	 * Adds a header, in place of one with the same name.
	 * @param value the value; {@code null} removes the header
	 * @throws InvalidTaskException if the name is blank, or one of them cannot be encoded
	 * in UTF-8
	 */
	void header(String name, @Nullable String value);

}
