package io.asynq.spring.boot.autoconfigure;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Wrapped so that nobody injects the connections for tasks by accident.
 */
record AsynqConnectionFactory(RedisConnectionFactory value) {
}
