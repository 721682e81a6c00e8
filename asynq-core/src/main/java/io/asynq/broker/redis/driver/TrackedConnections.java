package io.asynq.broker.redis.driver;

import io.asynq.BrokerException;

/**
 * Opens connections over which Redis reports changes. Safe for concurrent use.
 */
public interface TrackedConnections {

	/**
	 * Opens a connection.
	 * @param listener receives the reports
	 * @throws io.asynq.BrokerException if Redis reports nothing over such connections
	 */
	TrackedConnection open(Listener listener);

	/**
	 * Returns connections to one node of a cluster.
	 * @param node its address, {@code host:port}
	 */
	TrackedConnections at(String node);

	/** Returns those of a driver, or a kind of connection, that cannot do this. */
	static TrackedConnections none() {
		return new TrackedConnections() {

			@Override
			public TrackedConnection open(Listener listener) {
				throw new BrokerException(
						"arrivals are not reported over such connections, only over a factory of Jedis or Lettuce",
						null);
			}

			@Override
			public TrackedConnections at(String node) {
				return this;
			}

		};
	}

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
