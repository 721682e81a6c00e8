package io.asynq.internal.redis.driver;

import java.util.concurrent.ThreadPoolExecutor;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Other threads open connections, or wait for a pool's, since neither has a bound. */
public final class LettuceConnections extends UnboundConnections {

	private final LettuceConnectionFactory application;

	private final ThreadPoolExecutor waiting = CallTime.threads("asynq-connections-");

	private volatile boolean connected;

	private LettuceConnections(LettuceConnectionFactory application) {
		super(application);
		this.application = application;
	}

	/** {@code null} for another driver, or a subclass that may choose by the thread. */
	public static @Nullable LettuceConnections over(RedisConnectionFactory application) {
		return (application.getClass() == LettuceConnectionFactory.class || LettuceFactories.isCopy(application))
				? new LettuceConnections((LettuceConnectionFactory) application) : null;
	}

	@Override
	public RedisConnection getConnection() {
		CallTime time = CallTime.present();
		if (time == null || this.connected && this.application.getShareNativeConnection()) {
			return super.getConnection();
		}
		RedisConnection connection = time.elsewhere(this.waiting, this::connect, RedisConnection::close);
		this.connected = true;
		return connection;
	}

	private RedisConnection connect() {
		RedisConnection connection = super.getConnection();
		connection.getNativeConnection();
		return connection;
	}

}
