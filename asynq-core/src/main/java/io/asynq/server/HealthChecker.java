package io.asynq.server;

import java.time.Duration;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.lifecycle.UserCode;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Pings Redis for the user's listener (asynq F14, F15); the first time after one
 * interval.
 */
final class HealthChecker extends PeriodicComponent {

	private static final Logger logger = OneLineLogger.of(HealthChecker.class);

	private final ServerRuntime runtime;

	private boolean first;

	HealthChecker(ServerRuntime runtime) {
		super(ServerPhase.HEALTH_CHECKER, runtime.loops());
		this.runtime = runtime;
	}

	@Override
	protected void starting() {
		this.first = true;
	}

	@Override
	protected Duration runOnce() {
		if (!this.first) {
			AsynqException result = check();
			UserCode.run(() -> this.runtime.policies().health().onHealthCheck(result),
					(shown) -> logger.error("HealthCheckListener failed", shown));
		}
		this.first = false;
		return this.runtime.options().healthCheckInterval();
	}

	private @Nullable AsynqException check() {
		try {
			this.runtime.broker().queues().ping();
			return null;
		}
		catch (BrokerException ex) {
			return ex;
		}
	}

}
