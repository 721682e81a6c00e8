package io.asynq.internal.redis.driver;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;

import io.asynq.internal.redis.driver.TrackedConnections.Listener;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.jedis.JedisExceptionConverter;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.Jedis;

/** Answers pings in the thread that reads, over the same connection. */
final class JedisReports extends BinaryJedisPubSub {

	private static final Logger logger = OneLineLogger.of(JedisReports.class);

	private final Listener listener;

	private final CompletableFuture<Void> subscribed;

	private final Supplier<String> answer;

	private volatile @Nullable CompletableFuture<String> asked;

	private volatile boolean closed;

	JedisReports(Listener listener, CompletableFuture<Void> subscribed, Supplier<String> answer) {
		this.listener = listener;
		this.subscribed = subscribed;
		this.answer = answer;
	}

	/** The PING before has been answered or does not matter any more. */
	Future<String> await() {
		CompletableFuture<String> next = new CompletableFuture<>();
		this.asked = next;
		try {
			ping();
		}
		catch (RuntimeException ex) {
			next.completeExceptionally(ex);
		}
		return next;
	}

	/** Returns when the connection breaks or is closed. */
	void listen(RedisConnection connection, String channel) {
		RuntimeException end = new RedisConnectionFailureException("The subscription has ended");
		try {
			if (this.closed) {
				return;
			}
			((Jedis) connection.getNativeConnection()).subscribe(this, channel.getBytes(StandardCharsets.UTF_8));
		}
		catch (RuntimeException ex) {
			DataAccessException translated = new JedisExceptionConverter().convert(ex);
			end = (translated != null) ? translated : ex;
		}
		finally {
			disconnect(connection);
			this.subscribed.completeExceptionally(end);
			CompletableFuture<String> waiting = this.asked;
			if (waiting != null) {
				waiting.completeExceptionally(end);
			}
			this.listener.onEnd();
		}
	}

	/** Closes the connection under the thread that listens over it. */
	void end(RedisConnection connection) {
		// First: a thread that has not subscribed yet connects again to do so
		this.closed = true;
		disconnect(connection);
	}

	static void disconnect(RedisConnection connection) {
		try {
			((Jedis) connection.getNativeConnection()).disconnect();
		}
		catch (RuntimeException ex) {
			logger.debug("Could not close the connection", ex);
		}
	}

	@Override
	public void onSubscribe(byte[] channel, int channels) {
		this.subscribed.complete(null);
		if (this.closed) {
			unsubscribe();
		}
	}

	@Override
	public void onMessage(byte[] channel, byte @Nullable [] key) {
		if (key != null) {
			this.listener.onChange(new String(key, StandardCharsets.UTF_8));
		}
		else {
			this.listener.onFlush();
		}
	}

	@Override
	public void onPong(byte[] pattern) {
		CompletableFuture<String> waiting = this.asked;
		if (waiting != null) {
			try {
				waiting.complete(this.answer.get());
			}
			catch (RuntimeException ex) {
				waiting.completeExceptionally(ex);
			}
		}
	}

}
