package io.asynq.spring.boot.autoconfigure;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * An application with a Redis of its own for tasks.
 */
@Configuration(proxyBeanMethods = false)
@Import(TestApplication.class)
class SecondRedisApplication {

	@Bean(defaultCandidate = false)
	@AsynqRedis
	RedisConnectionFactory taskRedis(@Value("${test.second-redis}") int port) {
		return new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port));
	}

}
