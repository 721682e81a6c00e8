package io.asynq.internal.redis.driver;

import java.util.concurrent.Future;

import io.asynq.BrokerException;
import org.springframework.data.redis.connection.RedisConnection;

public interface TrackedConnections {

	/** Throws if Redis reports nothing over such connections. */
	TrackedConnection open(Listener listener);

	TrackedConnections at(String node);

	/** For a driver, or a kind of connection, that cannot do this. */
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

	/** Called on a thread of the driver that must not be blocked. */
	interface Listener {

		void onChange(String key);

		/** The database was flushed: any key may have changed. */
		void onFlush();

		void onEnd();

	}

	/** Redis reports over it the next change of each key that was read over it. */
	interface TrackedConnection extends AutoCloseable {

		/** Whoever uses it holds its monitor. */
		RedisConnection connection();

		/** Shows that reports arrive; a cluster's node answers {@code CLUSTER NODES}. */
		Future<String> answer();

		@Override
		void close();

	}

}
