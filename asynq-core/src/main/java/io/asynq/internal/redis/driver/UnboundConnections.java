package io.asynq.internal.redis.driver;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConnection;

/**
 * A factory under another identity, so that Spring never finds the connection bound to
 * the thread: within a transaction or a pipeline no call is answered.
 */
public class UnboundConnections implements RedisConnectionFactory {

	private final RedisConnectionFactory application;

	public UnboundConnections(RedisConnectionFactory application) {
		this.application = application;
	}

	@Override
	public RedisConnection getConnection() {
		return this.application.getConnection();
	}

	@Override
	public RedisClusterConnection getClusterConnection() {
		return this.application.getClusterConnection();
	}

	@Override
	public boolean getConvertPipelineAndTxResults() {
		return this.application.getConvertPipelineAndTxResults();
	}

	@Override
	public RedisSentinelConnection getSentinelConnection() {
		return this.application.getSentinelConnection();
	}

	@Override
	public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException ex) {
		return this.application.translateExceptionIfPossible(ex);
	}

}
