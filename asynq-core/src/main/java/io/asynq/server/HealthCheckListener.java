package io.asynq.server;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * Receives the result of every health check, as Go's {@code Config.HealthCheckFunc}
 * (docs/compatibility.md, F14). Exceptions that it throws are logged.
 */
@FunctionalInterface
public interface HealthCheckListener {

	/**
	 * Called after each health check.
	 * @param error why Redis does not answer, {@code null} if it does
	 */
	void onHealthCheck(@Nullable AsynqException error);

}
