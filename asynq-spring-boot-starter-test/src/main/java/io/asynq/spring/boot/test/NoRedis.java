package io.asynq.spring.boot.test;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConnection;

/** Refuses whatever would need Redis, in the name of the method that was called. */
final class NoRedis implements RedisConnectionFactory {

	private static final StackWalker STACK = StackWalker.getInstance();

	@Override
	public RedisConnection getConnection() {
		throw refusal(caller());
	}

	@Override
	public RedisClusterConnection getClusterConnection() {
		throw refusal(caller());
	}

	@Override
	public RedisSentinelConnection getSentinelConnection() {
		throw refusal(caller());
	}

	@Override
	public boolean getConvertPipelineAndTxResults() {
		return true;
	}

	@Override
	public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException ex) {
		return null;
	}

	/**
	 * @param operation class and method that users call
	 */
	static UnsupportedOperationException refusal(String operation) {
		return new UnsupportedOperationException(operation + ": this cannot be tested with @AutoConfigureAsynq, which"
				+ " keeps tasks in memory. Leave the annotation out and test this with a real Redis, as docs/testing.md"
				+ " shows");
	}

	private static String caller() {
		return STACK.walk((frames) -> frames.filter((frame) -> isOfUsers(frame.getClassName())).findFirst())
			.map((frame) -> frame.getClassName().replaceAll(".*\\.", "") + "." + frame.getMethodName())
			.orElse("Redis");
	}

	private static boolean isOfUsers(String type) {
		return type.startsWith("io.asynq.") && !type.startsWith("io.asynq.broker.")
				&& !type.startsWith("io.asynq.internal.") && !type.equals(NoRedis.class.getName());
	}

}
