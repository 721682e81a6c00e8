package io.asynq.internal.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.asynq.AsynqException;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.test.TestRedis;
import io.asynq.test.TestRedisCluster;
import org.awaitility.Awaitility;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientPauseMode;

/**
 * Threads that enqueue a task each, one after the other, while Redis holds back all
 * writes.
 */
final class Crowd {

	/** More than any test needs, and an end where one fails. */
	private static final Duration PAUSE = Duration.ofSeconds(25);

	private final RedisBroker broker;

	private final List<HostAndPort> nodes;

	Crowd(RedisBroker broker, RedisConnectionFactory factory) {
		this.broker = broker;
		this.nodes = isCluster(factory) ? TestRedisCluster.shared().nodes().stream().map(HostAndPort::from).toList()
				: List.of(new HostAndPort(TestRedis.shared().host(), TestRedis.shared().port()));
	}

	/**
	 * Enqueues tasks of queues that are listed already.
	 * @return for each what its caller has got, empty if its task is stored
	 */
	List<Optional<AsynqException>> enqueue(EnqueueRequest... requests) {
		return enqueue(() -> {
		}, requests);
	}

	/**
	 * Enqueues tasks.
	 * @param last what happens when all callers are there
	 */
	List<Optional<AsynqException>> enqueue(Runnable last, EnqueueRequest... requests) {
		List<CompletableFuture<Optional<AsynqException>>> results = new ArrayList<>();
		onNodes((jedis) -> jedis.clientPause(PAUSE.toMillis(), ClientPauseMode.WRITE));
		try {
			for (EnqueueRequest request : requests) {
				CompletableFuture<Optional<AsynqException>> result = new CompletableFuture<>();
				Thread caller = new Thread(() -> result.complete(enqueue(request)), request.message().id());
				caller.start();
				Awaitility.await().until(() -> isUnderWay(caller) || result.isDone());
				results.add(result);
			}
			last.run();
		}
		finally {
			onNodes(Jedis::clientUnpause);
		}
		return results.stream().map(CompletableFuture::join).toList();
	}

	/** Returns how many scripts Redis has been called for so far. */
	long calls() {
		long[] calls = new long[1];
		onNodes((jedis) -> Stream.of(jedis.info("commandstats").split("\r\n"))
			.filter((line) -> line.startsWith("cmdstat_evalsha:"))
			.forEach((line) -> calls[0] += Long.parseLong(line.replaceFirst("cmdstat_evalsha:calls=(\\d+).*", "$1"))));
		return calls[0];
	}

	private Optional<AsynqException> enqueue(EnqueueRequest request) {
		try {
			this.broker.enqueuer().enqueueShared(request);
			return Optional.empty();
		}
		catch (AsynqException ex) {
			return Optional.of(ex);
		}
	}

	/** In a call of its own, or in line for somebody else's. */
	private static boolean isUnderWay(Thread caller) {
		return Stream.of(caller.getStackTrace())
			.anyMatch((frame) -> frame.getClassName().endsWith(".ScriptRunner")
					|| frame.getClassName().endsWith(".WaitingTask") && frame.getMethodName().equals("await"));
	}

	private void onNodes(Consumer<Jedis> action) {
		for (HostAndPort node : this.nodes) {
			try (Jedis jedis = new Jedis(node)) {
				action.accept(jedis);
			}
		}
	}

	private static boolean isCluster(RedisConnectionFactory factory) {
		return (factory instanceof JedisConnectionFactory jedis) ? jedis.isRedisClusterAware()
				: ((LettuceConnectionFactory) factory).isClusterAware();
	}

}
