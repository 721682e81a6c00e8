package io.asynq.internal.redis.driver;

import java.time.Duration;

import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.StaticCommandFlagsRegistry;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.executors.ClusterCommandExecutor;
import redis.clients.jedis.providers.ClusterConnectionProvider;

/**
 * Never repeats a command that was not answered, and calls a node that hangs only once.
 */
final class CheckingClusterExecutor extends ClusterCommandExecutor {

	private final JedisCalls calls;

	/** What a node that is handing its slot over has sent elsewhere. */
	private final ThreadLocal<CommandObject<?>> redirected = new ThreadLocal<>();

	CheckingClusterExecutor(ClusterConnectionProvider provider, int maxAttempts, Duration maxTotalRetries,
			JedisCalls calls) {
		super(provider, maxAttempts, maxTotalRetries, StaticCommandFlagsRegistry.registry());
		this.calls = calls;
	}

	@Override
	protected <T> T execute(Connection connection, CommandObject<T> command) {
		BoundedExecutor.borrowed();
		try {
			// A PING would use up the ASKING that was just answered
			boolean asked = wasRedirected(command);
			if (asked || this.calls.isThere(connection)) {
				return this.calls.send(connection, command);
			}
			// Returned before another is borrowed, or all holders of a dead one would
			// wait for each other
			connection.close();
			return CheckingExecutor.overAnother(this.provider, this.calls, command);
		}
		catch (JedisAskDataException ex) {
			this.redirected.set(command);
			throw ex;
		}
		catch (JedisCalls.NotAnsweredException ex) {
			this.provider.renewSlotCache();
			throw new NotAnsweredException(ex);
		}
		catch (JedisConnectionException ex) {
			if (!JedisCalls.isTimeout(ex)) {
				throw ex;
			}
			this.provider.renewSlotCache();
			throw new HangingNodeException(ex);
		}
	}

	private boolean wasRedirected(CommandObject<?> command) {
		CommandObject<?> last = this.redirected.get();
		if (last != null) {
			this.redirected.remove();
		}
		return last == command;
	}

	@Override
	public void close() {
		// The connections are the application's
	}

	/** Jedis does not repeat after such an error. */
	static final class NotAnsweredException extends JedisClusterOperationException implements NotAnswered {

		private static final long serialVersionUID = 1;

		NotAnsweredException(JedisConnectionException cause) {
			super(cause.getMessage(), cause);
		}

	}

	/** A node did not answer a PING; nothing else was sent. */
	static final class HangingNodeException extends JedisClusterOperationException {

		private static final long serialVersionUID = 1;

		HangingNodeException(JedisConnectionException cause) {
			super(cause.getMessage(), cause);
		}

	}

}
