package io.asynq.test;

import java.net.URI;
import java.util.List;
import java.util.Objects;

import io.asynq.test.redis.Ports;
import io.asynq.test.redis.RedisNode;
import io.asynq.test.redis.RedisProgram;
import org.jspecify.annotations.Nullable;

/**
 * The Redis of this JVM's tests: the one that {@code ASYNQ_TEST_REDIS_URL} names (its
 * database is flushed!), else a process of {@link RedisProgram}, else a container; never
 * skips, but fails with every reason.
 */
public final class TestRedis {

	private static final class Holder {

		static final TestRedis SHARED = start();

	}

	private final URI uri;

	private final @Nullable RedisNode node;

	private TestRedis(URI uri, @Nullable RedisNode node) {
		this.uri = uri;
		this.node = node;
	}

	public static TestRedis shared() {
		return Holder.SHARED;
	}

	/**
	 * @param settings lines of a configuration file, such as {@code maxmemory 10mb}
	 */
	public static TestRedis startOwn(String... settings) {
		return startOwn(freePort(), settings);
	}

	/** On a given port, as after a crash. */
	public static TestRedis startOwn(int port, String... settings) {
		RedisNode node = RedisNode.start(port, List.of(settings));
		return new TestRedis(URI.create("redis://" + node.address()), node);
	}

	/**
	 * @param program {@code embedded} for the oldest supported version, {@code path} for
	 * that of the machine, or the path of an executable
	 */
	public static TestRedis startOwnOf(String program) {
		RedisNode node = RedisNode.start(RedisProgram.find(program));
		return new TestRedis(URI.create("redis://" + node.address()), node);
	}

	public static int freePort() {
		return Ports.free();
	}

	public URI uri() {
		return this.uri;
	}

	public String host() {
		return this.uri.getHost();
	}

	public int port() {
		return this.uri.getPort();
	}

	/** Only if it was started here. */
	public RedisNode node() {
		return Objects.requireNonNull(this.node, "This Redis is no process of these tests");
	}

	/** Kills it, so that it saves nothing more. */
	public void stop() {
		node().close();
	}

	private static TestRedis start() {
		String url = System.getenv("ASYNQ_TEST_REDIS_URL");
		if (url != null && !url.isBlank()) {
			return new TestRedis(URI.create(url), null);
		}
		try {
			return startOwn();
		}
		catch (IllegalStateException ex) {
			String needed = "These tests need a Redis. Set ASYNQ_TEST_REDIS_URL, or install redis-server, or start Docker. ";
			if (!RedisProgram.mayBeContainer()) {
				throw new IllegalStateException(needed + ex.getMessage(), ex);
			}
			return new TestRedis(RedisContainer.start(needed + ex.getMessage()), null);
		}
	}

}
