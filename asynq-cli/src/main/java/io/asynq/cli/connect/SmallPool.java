package io.asynq.cli.connect;

import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;

/**
 * Keeps one connection, for work that takes many calls, without a thread that looks after
 * it.
 */
final class SmallPool extends GenericObjectPoolConfig<Connection> {

	SmallPool() {
		setMaxTotal(2);
		setMaxIdle(1);
		setJmxEnabled(false);
	}

}
