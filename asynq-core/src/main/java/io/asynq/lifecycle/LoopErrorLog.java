package io.asynq.lifecycle;

import java.util.concurrent.TimeUnit;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs errors of loops: at most one line every three seconds for all loops that share it,
 * because they all fail at once when Redis is away. Safe for concurrent use.
 */
public final class LoopErrorLog {

	private static final Logger logger = OneLineLogger.of(LoopErrorLog.class);

	private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(3);

	private @Nullable Long lastNanos;

	private long unlogged;

	/**
	 * Logs an error, or counts it for the next line. The stack trace is logged only for
	 * errors that are not ours.
	 */
	public synchronized void warn(String subject, Throwable error) {
		long now = System.nanoTime();
		if (this.lastNanos != null && now - this.lastNanos < INTERVAL_NANOS) {
			this.unlogged++;
			return;
		}
		String more = (this.unlogged > 0) ? " (and " + this.unlogged + " more errors since the last line)" : "";
		UserCode.tell(error, (shown) -> warn(subject, shown, more));
		this.lastNanos = now;
		this.unlogged = 0;
	}

	private static void warn(String subject, Throwable error, String more) {
		if (error instanceof BrokerUnavailableException) {
			logger.warn("{}: {}; retrying{}", subject, error.getMessage(), more);
		}
		else if (error instanceof AsynqException) {
			logger.warn("{}: {}{}", subject, error.getMessage(), more);
		}
		else {
			logger.warn("{}: failed, continuing{}", subject, more, error);
		}
		logger.debug("{}", subject, error);
	}

}
