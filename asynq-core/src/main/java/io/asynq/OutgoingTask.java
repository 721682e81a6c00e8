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
	 * @return the id
	 */
	String id();

	/**
	 * Returns the queue that takes the task.
	 * @return its name
	 */
	String queue();

	/**
	 * Returns the task's type.
	 * @return the type
	 */
	String type();

	/**
	 * Returns the payload.
	 * @return its bytes, not copied; {@code null} if there is none
	 */
	byte @Nullable [] payload();

	/**
	 * Returns the headers, with those that were added up to now.
	 * @return values by name, which cannot be changed
	 */
	Map<String, String> headers();

	/**
	 * Adds a header, in place of one with the same name.
	 * @param name the name
	 * @param value the value; {@code null} removes the header
	 * @throws InvalidTaskException if the name is blank, or one of them cannot be encoded
	 * in UTF-8
	 */
	void header(String name, @Nullable String value);

}
