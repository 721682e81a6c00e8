package io.asynq.sample.redis;

import java.io.IOException;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;

/**
 * Connects Boot's connection factory to an embedded Redis, which lives as long as this
 * bean: it starts before the factory, which depends on it, and stops after the factory
 * and its users.
 */
final class EmbeddedRedisConnectionDetails implements DataRedisConnectionDetails, DisposableBean {

	private final EmbeddedRedis redis = EmbeddedRedis.start();

	@Override
	public Standalone getStandalone() {
		return Standalone.of(this.redis.host(), this.redis.port());
	}

	@Override
	public void destroy() throws IOException {
		this.redis.stop();
	}

}
