package io.asynq.internal.redis.driver;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandInterruptedException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandKeyword;
import io.lettuce.core.protocol.CommandType;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.lettuce.LettuceClusterConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Sends scripts that Lettuce must not repeat; an idle connection gets a repeatable
 * command first, which makes Lettuce reconnect if it is closed.
 */
public final class LettuceCalls {

	/** Who is busy never waits as long as this, and so never asks. */
	private static final Duration IDLE = Duration.ofMillis(100);

	/** Nano times of each node's last answer. */
	private final Map<StatefulConnection<?, ?>, Map<String, Long>> answered = Collections
		.synchronizedMap(new WeakHashMap<>());

	private final long idleNanos;

	public LettuceCalls() {
		this(IDLE);
	}

	public LettuceCalls(Duration idle) {
		this.idleNanos = idle.toNanos();
	}

	public static boolean areOfCluster(RedisConnectionFactory factory) {
		return factory instanceof LettuceConnectionFactory lettuce && lettuce.isClusterAware();
	}

	public boolean canUse(RedisConnection connection) {
		return connection.getClass() == LettuceConnection.class
				|| connection.getClass() == LettuceClusterConnection.class;
	}

	public Object evalSha(RedisConnection connection, byte[] sha1, ReturnType returns, int keys,
			byte[]... keysAndArgs) {
		return send(connection, CommandType.EVALSHA, sha1, returns, keys, keysAndArgs);
	}

	public Object eval(RedisConnection connection, byte[] text, ReturnType returns, int keys, byte[]... keysAndArgs) {
		return send(connection, CommandType.EVAL, text, returns, keys, keysAndArgs);
	}

	private Object send(RedisConnection connection, CommandType type, byte[] script, ReturnType returns, int keys,
			byte[]... keysAndArgs) {
		StatefulConnection<byte[], byte[]> driver = driver(connection);
		Map<String, Long> nodes = this.answered.computeIfAbsent(driver, (key) -> new ConcurrentHashMap<>());
		String node = node(driver, keysAndArgs[0]);
		Long last = nodes.get(node);
		if (last == null || System.nanoTime() - last >= this.idleNanos) {
			ask(driver, keysAndArgs[0]);
		}
		List<byte[]> all = Arrays.asList(keysAndArgs);
		CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE).add(script)
			.add(keys)
			.addKeys(all.subList(0, keys))
			.addValues(all.subList(keys, all.size()));
		SentOnce command = new SentOnce(type, args);
		List<Object> answer = answer(command, driver);
		nodes.put(node, System.nanoTime());
		return (returns == ReturnType.INTEGER) ? answer.get(0) : answer;
	}

	private static List<Object> answer(SentOnce command, StatefulConnection<byte[], byte[]> driver) {
		try {
			return await(command, driver);
		}
		catch (RedisCommandExecutionException ex) {
			throw new RedisSystemException("Redis refused", ex);
		}
		catch (RuntimeException ex) {
			// It will not be written from now on
			command.cancel();
			if (!command.mayBeDone()) {
				throw notSent(ex);
			}
			throw (ex instanceof RedisCommandTimeoutException) ? new QueryTimeoutException("Redis did not answer", ex)
					: new RedisSystemException("Redis did not answer", new SentOnce.NotAnsweredException(ex));
		}
	}

	/** Lettuce does not know that this only reads, so it never goes to a replica. */
	private static void ask(StatefulConnection<byte[], byte[]> driver, byte[] key) {
		try {
			await(new AsyncCommand<>(new Command<>(CommandType.MEMORY, new IntegerOutput<>(ByteArrayCodec.INSTANCE),
					new CommandArgs<>(ByteArrayCodec.INSTANCE).add(CommandKeyword.USAGE).addKey(key))), driver);
		}
		catch (RedisCommandExecutionException ex) {
			// An error is an answer too
		}
		catch (RuntimeException ex) {
			throw notSent(ex);
		}
	}

	/** An interrupt is kept for later: a handler past its deadline may be cleaning up. */
	private static <T> T await(AsyncCommand<byte[], byte[], T> command, StatefulConnection<byte[], byte[]> driver) {
		long timeoutNanos = CallTime.timeout(driver.getTimeout().toNanos());
		long startNanos = System.nanoTime();
		boolean interrupted = false;
		driver.dispatch(command);
		try {
			while (true) {
				try {
					long left = timeoutNanos - (System.nanoTime() - startNanos);
					// No answer counts as zero
					return LettuceFutures.awaitOrCancel(command, (timeoutNanos != 0) ? Math.max(1, left) : 0,
							TimeUnit.NANOSECONDS);
				}
				catch (RedisCommandInterruptedException ex) {
					if (!Thread.interrupted()) {
						throw ex;
					}
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private static RedisConnectionFailureException notSent(RuntimeException ex) {
		return new RedisConnectionFailureException("Redis does not answer, and nothing was sent", ex);
	}

	private static StatefulConnection<byte[], byte[]> driver(RedisConnection connection) {
		Object commands = connection.getNativeConnection();
		return (commands instanceof RedisAdvancedClusterAsyncCommands<?, ?> cluster)
				? bytes(cluster.getStatefulConnection())
				: bytes(((RedisAsyncCommands<?, ?>) commands).getStatefulConnection());
	}

	@SuppressWarnings("unchecked")
	private static StatefulConnection<byte[], byte[]> bytes(StatefulConnection<?, ?> connection) {
		return (StatefulConnection<byte[], byte[]>) connection;
	}

	private static String node(StatefulConnection<?, ?> driver, byte[] key) {
		if (driver instanceof StatefulRedisClusterConnection<?, ?> cluster) {
			RedisClusterNode node = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
			return (node != null) ? node.getNodeId() : "";
		}
		return "";
	}

}
