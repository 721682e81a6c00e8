package io.asynq.internal.redis.driver;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;
import org.springframework.beans.BeansException;
import org.springframework.beans.DirectFieldAccessor;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Jedis notices a closed connection only while it waits for an answer; so one that was
 * idle must answer a PING before anything but an idempotent call is sent over it.
 */
final class JedisCalls {

	private static final Logger logger = OneLineLogger.of(JedisCalls.class);

	private static final Executor GIVING_BACK = CallTime.threads("asynq-broken-connections-");

	/** Who is busy never waits as long as this, and so never asks. */
	private static final Duration IDLE = Duration.ofMillis(100);

	/** Nano times; connections are kept alive by their pool only. */
	private final Map<Connection, Long> used;

	private final long idleNanos;

	JedisCalls() {
		this(IDLE);
	}

	JedisCalls(Duration idle) {
		this(idle, Collections.synchronizedMap(new WeakHashMap<>()));
	}

	private JedisCalls(Duration idle, Map<Connection, Long> used) {
		this.idleNanos = idle.toNanos();
		this.used = used;
	}

	/** For callers that repeat a call: what has answered before is not checked. */
	JedisCalls trusting() {
		return new JedisCalls(Duration.ofNanos(Long.MAX_VALUE), this.used);
	}

	/** A dead connection leaves the pool when closed; throws if it is open but silent. */
	boolean isThere(Connection connection) {
		Long last = this.used.get(connection);
		if (last != null && System.nanoTime() - last < this.idleNanos) {
			return true;
		}
		try {
			bounded(connection, connection::ping);
		}
		catch (JedisConnectionException ex) {
			giveUp(connection);
			if (isTimeout(ex)) {
				throw ex;
			}
			return false;
		}
		catch (JedisException ex) {
			// An error is an answer too
			return true;
		}
		return true;
	}

	<T> T send(Connection connection, CommandObject<T> command) {
		try {
			CallTime.sending();
			T answer = bounded(connection, () -> connection.executeCommand(command));
			CallTime.answered();
			noteUse(connection);
			return answer;
		}
		catch (JedisConnectionException ex) {
			giveUp(connection);
			throw new NotAnsweredException(ex);
		}
		catch (JedisDataException ex) {
			CallTime.answered();
			noteUse(connection);
			if (ex.getMessage() != null && ex.getMessage().contains("READONLY")) {
				// There is another master by now, perhaps under the same name
				connection.setBroken();
			}
			throw ex;
		}
	}

	private static <T> T bounded(Connection connection, Supplier<T> question) {
		int own = connection.getSoTimeout();
		long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(CallTime.timeout(TimeUnit.MILLISECONDS.toNanos(own))));
		if (millis == own || CallTime.present() == null) {
			return question.get();
		}
		connection.setSoTimeout((int) millis);
		try {
			return question.get();
		}
		finally {
			if (!connection.isBroken()) {
				connection.setSoTimeout(own);
			}
		}
	}

	/** By another thread, because the pool then opens another connection. */
	private static void giveUp(Connection connection) {
		if (CallTime.present() == null) {
			return;
		}
		try {
			ConnectionPool pool = (ConnectionPool) new DirectFieldAccessor(connection).getPropertyValue("memberOf");
			if (pool != null) {
				connection.setHandlingPool(null);
				connection.forceDisconnect();
				GIVING_BACK.execute(() -> giveBack(connection, pool));
			}
		}
		catch (BeansException | ClassCastException | IOException ex) {
			// Another version of Jedis, or a closed module: it is given back here
		}
	}

	private static void giveBack(Connection broken, ConnectionPool pool) {
		try {
			pool.returnBrokenResource(broken);
		}
		catch (JedisException ex) {
			logger.debug("No other connection could be opened for whoever waits", ex);
		}
	}

	void noteUse(Connection connection) {
		this.used.put(connection, System.nanoTime());
	}

	static boolean isTimeout(JedisConnectionException ex) {
		return ex.getCause() instanceof SocketTimeoutException;
	}

	/** The connection is of no use any more. */
	static final class NotAnsweredException extends JedisConnectionException implements NotAnswered {

		private static final long serialVersionUID = 1;

		NotAnsweredException(JedisConnectionException cause) {
			super(cause.getMessage(), cause);
		}

	}

}
