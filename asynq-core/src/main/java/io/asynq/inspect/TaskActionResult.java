package io.asynq.inspect;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * What became of one of many tasks.
 *
 * @param id the task's id
 * @param error why nothing was done with it, {@code null} if it was done
 */
public record TaskActionResult(String id, @Nullable AsynqException error) {

	/**
	 * Returns whether it was done.
	 * @return whether there is no error
	 */
	public boolean done() {
		return this.error == null;
	}

}
