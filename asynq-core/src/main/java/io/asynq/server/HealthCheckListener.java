package io.asynq.server;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * Is told the result of every health check (asynq F14). What it throws is logged.
 */
@FunctionalInterface
public interface HealthCheckListener {

	/**
	 * Takes note.
	 * @param error why Redis does not answer, {@code null} if it does
	 */
	void onHealthCheck(@Nullable AsynqException error);

}
