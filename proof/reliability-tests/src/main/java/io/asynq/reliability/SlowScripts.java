package io.asynq.reliability;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

import io.asynq.test.redis.RedisSetup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;

/** Scripts that have blocked Redis for 10 ms or more, by its slow log. */
final class SlowScripts {

	private static final Logger logger = LoggerFactory.getLogger(SlowScripts.class);

	private static final String MOST = "128";

	private SlowScripts() {
	}

	static long longestMillis(RedisSetup redis) {
		try (RedisConnection connection = redis.connections().getConnection()) {
			Object entries = (connection instanceof RedisClusterConnection) ? List.of() : connection.execute("SLOWLOG",
					"GET".getBytes(StandardCharsets.US_ASCII), MOST.getBytes(StandardCharsets.US_ASCII));
			return ((List<?>) entries).stream()
				.map(List.class::cast)
				.filter(SlowScripts::isScript)
				.mapToLong((entry) -> ((Number) entry.get(2)).longValue() / 1000)
				.max()
				.orElse(0);
		}
		catch (RuntimeException ex) {
			logger.debug("It is not known which scripts were long", ex);
			return 0;
		}
	}

	private static boolean isScript(List<?> entry) {
		Object command = ((List<?>) entry.get(3)).get(0);
		String name = (command instanceof byte[] bytes) ? new String(bytes, StandardCharsets.US_ASCII)
				: String.valueOf(command);
		return name.toUpperCase(Locale.ROOT).startsWith("EVAL");
	}

}
