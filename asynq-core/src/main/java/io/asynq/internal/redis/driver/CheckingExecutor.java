package io.asynq.internal.redis.driver;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.executors.CommandExecutor;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.util.Pool;

final class CheckingExecutor implements CommandExecutor {

	private final ConnectionProvider provider;

	private final JedisCalls calls;

	CheckingExecutor(ConnectionProvider provider, JedisCalls calls) {
		this.provider = provider;
		this.calls = calls;
	}

	@Override
	public <T> T executeCommand(CommandObject<T> command) {
		try (Connection connection = this.provider.getConnection(command.getArguments())) {
			BoundedExecutor.borrowed();
			if (this.calls.isThere(connection)) {
				return this.calls.send(connection, command);
			}
		}
		return overAnother(this.provider, this.calls, command);
	}

	/** {@code null} if the pool changes with the master. */
	@Nullable Pool<?> pool() {
		return (this.provider instanceof PooledConnectionProvider pooled) ? pooled.getPool() : null;
	}

	@Nullable Pool<?> presentPool() {
		Pool<?> only = pool();
		return (only != null) ? only
				: this.provider.getConnectionMap().values().iterator().next() instanceof Pool<?> present ? present
						: null;
	}

	/** Takes connections out of the pool until one is alive, if need be a new one. */
	static <T> T overAnother(ConnectionProvider provider, JedisCalls calls, CommandObject<T> command) {
		int idle = provider.getConnectionMap()
			.values()
			.stream()
			.mapToInt((pool) -> (pool instanceof Pool<?> known) ? known.getNumIdle() : 0)
			.sum();
		for (int left = idle; left >= 0; left--) {
			try (Connection connection = provider.getConnection(command.getArguments())) {
				if (calls.isThere(connection)) {
					return calls.send(connection, command);
				}
			}
		}
		throw new JedisConnectionException("Redis closes each connection at once");
	}

	@Override
	public void close() {
		// The connections are the application's
	}

}
