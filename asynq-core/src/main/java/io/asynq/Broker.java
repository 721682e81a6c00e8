package io.asynq;

import java.time.Clock;

import io.asynq.internal.broker.RedisBroker;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A Redis that has asynq's queues: clients, inspectors, schedulers, limits and semaphores
 * are created with it. With Spring Boot it is a bean; without, whoever created it closes
 * it, after everything that uses it:
 *
 * <pre class="code">{@code
 * try (Broker broker = Broker.create(connections, clock)) {
 *     AsynqInspector.create(broker, clock).pauseQueue("low");
 * }
 * }</pre>
 *
 * Not to be implemented. Safe for concurrent use.
 */
public interface Broker extends AutoCloseable {

	/**
	 * Creates a broker without touching Redis. A call may take 3 s, or as long as the
	 * connections allow if that is longer; leases are those of Go, 30 s.
	 * @param connections to a single Redis, Sentinel or cluster; the caller closes them,
	 * after the broker
	 * @param clock in production {@code Clock.systemUTC()}; what several servers must
	 * agree on, such as leases, goes by the time of Redis
	 */
	static Broker create(RedisConnectionFactory connections, Clock clock) {
		return new RedisBroker(connections, clock, RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
	}

	/**
	 * Ends what goes on in the background, and leaves the connections to whoever has
	 * them.
	 */
	@Override
	void close();

}
