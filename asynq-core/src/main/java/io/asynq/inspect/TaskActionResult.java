package io.asynq.inspect;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * The result of an action on one of many tasks.
 *
 * @param id the task's id
 * @param error why it was not done, {@code null} if it was
 */
public record TaskActionResult(String id, @Nullable AsynqException error) {

	/** Returns whether the action was done. */
	public boolean done() {
		return this.error == null;
	}

}
