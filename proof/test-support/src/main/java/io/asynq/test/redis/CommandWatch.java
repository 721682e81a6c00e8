package io.asynq.test.redis;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisMonitor;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Sees the commands of scripts as well.
 */
public final class CommandWatch implements AutoCloseable {

	private final CountDownLatch begun = new CountDownLatch(1);

	private final Jedis jedis;

	private final Consumer<String> listener;

	private final Thread thread = new Thread(this::listen, "command-watch");

	private volatile boolean closed;

	CommandWatch(RedisNode node, Consumer<String> listener) {
		// No time-out, because there may be no commands for a long time
		this.jedis = new Jedis(Ports.HOST, node.port(), 0);
		this.listener = listener;
	}

	CommandWatch begin() throws InterruptedException {
		this.thread.setDaemon(true);
		this.thread.start();
		if (!this.begun.await(RedisNode.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
			throw new IllegalStateException("Redis does not report its commands");
		}
		return this;
	}

	private void listen() {
		try {
			this.jedis.monitor(new JedisMonitor() {

				@Override
				public void proceed(Connection client) {
					CommandWatch.this.begun.countDown();
					super.proceed(client);
				}

				@Override
				public void onCommand(String command) {
					CommandWatch.this.listener.accept(command);
				}

			});
		}
		catch (JedisException ex) {
			if (!this.closed) {
				throw ex;
			}
		}
	}

	@Override
	public void close() {
		this.closed = true;
		this.jedis.disconnect();
	}

}
