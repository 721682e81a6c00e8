package io.asynq.broker.redis.driver;

import org.jspecify.annotations.Nullable;

/**
 * Opens connections over which Redis reports changes. Safe for concurrent use.
 */
public interface TrackedConnections {

	/**
	 * Opens a connection.
	 * @param listener receives the reports
	 * @return the connection, {@code null} where Redis cannot send reports over the
	 * connection on which it answers
	 */
	@Nullable TrackedConnection open(Listener listener);

	/**
	 * Receives reports, on a thread of the driver that must not be blocked.
	 */
	interface Listener {

		/** A key has changed. */
		void onChange(String key);

		/** The database was flushed: any key may have changed. */
		void onFlush();

		/** The connection is gone. */
		void onEnd();

	}

}
