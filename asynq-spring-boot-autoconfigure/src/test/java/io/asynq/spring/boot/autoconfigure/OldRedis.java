package io.asynq.spring.boot.autoconfigure;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.asynq.test.TestRedis;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A Redis 2.8, which the build has unpacked.
 */
final class OldRedis implements AutoCloseable {

	private final int port = TestRedis.freePort();

	private final Process process;

	private OldRedis() throws IOException {
		File program = Path.of("target/old-redis/redis-server-2.8.19").toFile();
		if (!program.setExecutable(true)) {
			throw new IOException(program + " is missing: the build unpacks it");
		}
		this.process = new ProcessBuilder(program.getAbsolutePath(), "--port", String.valueOf(this.port), "--bind",
				"127.0.0.1", "--save", "")
			.redirectErrorStream(true)
			.redirectOutput(Path.of("target/old-redis/log").toFile())
			.start();
	}

	static OldRedis start() throws IOException {
		OldRedis redis = new OldRedis();
		Awaitility.await("Redis 2.8 answers").until(redis::answers);
		return redis;
	}

	int port() {
		return this.port;
	}

	@Override
	public void close() throws InterruptedException {
		this.process.destroy();
		this.process.waitFor(10, TimeUnit.SECONDS);
	}

	private boolean answers() {
		try (Jedis jedis = new Jedis("127.0.0.1", this.port)) {
			return jedis.ping() != null;
		}
		catch (JedisException ex) {
			return false;
		}
	}

}
