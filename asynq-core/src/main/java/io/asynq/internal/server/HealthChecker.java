package io.asynq.internal.server;

import java.time.Duration;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.internal.inspect.QueueReader;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.server.HealthCheckListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Pings Redis for the user's listener; for the first time after one interval, as in Go
 * (docs/compatibility.md, F14 and F15).
 */
public final class HealthChecker extends PeriodicComponent {

	private static final Logger logger = OneLineLogger.of(HealthChecker.class);

	private final QueueReader queues;

	private final HealthCheckListener listener;

	private final Duration interval;

	private boolean first;

	public HealthChecker(QueueReader queues, HealthCheckListener listener, Duration interval, Loops loops) {
		super(ServerPhase.HEALTH_CHECKER, loops);
		this.queues = queues;
		this.listener = listener;
		this.interval = interval;
	}

	@Override
	protected void starting() {
		this.first = true;
	}

	@Override
	protected Duration runOnce() {
		if (!this.first) {
			AsynqException result = check();
			UserCode.run(() -> this.listener.onHealthCheck(result),
					(shown) -> logger.error("HealthCheckListener failed", shown));
		}
		this.first = false;
		return this.interval;
	}

	private @Nullable AsynqException check() {
		try {
			this.queues.ping();
			return null;
		}
		catch (BrokerException ex) {
			return ex;
		}
	}

}
