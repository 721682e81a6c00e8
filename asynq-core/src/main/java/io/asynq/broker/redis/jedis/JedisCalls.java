package io.asynq.broker.redis.jedis;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

import io.asynq.broker.redis.driver.NotAnswered;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Calls over single connections of Jedis. Redis closes connections when it restarts, when
 * another node takes over, after its own {@code timeout} and when somebody tells it to,
 * and Jedis notices when it waits for an answer. So a connection that was not used for a
 * while has to answer a PING before anything is sent over it, unless it may be sent
 * again. Safe for concurrent use.
 */
final class JedisCalls {

	/** Who is busy never waits as long as this, and so never asks. */
	private static final Duration IDLE = Duration.ofMillis(100);

	/** Nano times. Connections are kept by their pool only. */
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

	/**
	 * Returns the same for callers who ask again when a connection turns out to be gone:
	 * one that has answered before is not asked first.
	 * @return calls over the same connections
	 */
	JedisCalls trusting() {
		return new JedisCalls(Duration.ofNanos(Long.MAX_VALUE), this.used);
	}

	/**
	 * Looks whether a connection is still there. One that is not goes when it is closed.
	 * @param connection the connection
	 * @return {@code false} if it was closed
	 * @throws JedisConnectionException if it is open and nobody answers
	 */
	boolean isThere(Connection connection) {
		Long last = this.used.get(connection);
		if (last != null && System.nanoTime() - last < this.idleNanos) {
			return true;
		}
		try {
			connection.ping();
		}
		catch (JedisConnectionException ex) {
			if (isTimeout(ex)) {
				throw ex;
			}
			return false;
		}
		catch (JedisException ex) {
			// Whatever this Redis has to say, it can be talked to
			return true;
		}
		return true;
	}

	/**
	 * Sends a command and waits for its answer.
	 * @param <T> the answer
	 * @param connection the connection
	 * @param command the command
	 * @return the answer
	 * @throws NotAnsweredException if there is none
	 */
	<T> T send(Connection connection, CommandObject<T> command) {
		try {
			T answer = connection.executeCommand(command);
			noteUse(connection);
			return answer;
		}
		catch (JedisConnectionException ex) {
			throw new NotAnsweredException(ex);
		}
		catch (JedisDataException ex) {
			noteUse(connection);
			if (ex.getMessage() != null && ex.getMessage().contains("READONLY")) {
				// Another is the master by now, perhaps under the same name
				connection.setBroken();
			}
			throw ex;
		}
	}

	void noteUse(Connection connection) {
		this.used.put(connection, System.nanoTime());
	}

	static boolean isTimeout(JedisConnectionException ex) {
		return ex.getCause() instanceof SocketTimeoutException;
	}

	/**
	 * What was sent was not answered. The connection is of no use any more.
	 */
	static final class NotAnsweredException extends JedisConnectionException implements NotAnswered {

		private static final long serialVersionUID = 1;

		NotAnsweredException(JedisConnectionException cause) {
			super(cause.getMessage(), cause);
		}

	}

}
