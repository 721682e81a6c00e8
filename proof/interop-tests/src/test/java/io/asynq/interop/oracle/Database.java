package io.asynq.interop.oracle;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.ScanOptions;
import tools.jackson.databind.JsonNode;

/**
 * A Redis as it is, without either implementation.
 */
final class Database implements AutoCloseable {

	private final JedisConnectionFactory connections;

	private final RedisConnection redis;

	Database(TestRedis server) {
		this.connections = RedisExtension.connectionFactory(server);
		this.redis = this.connections.getConnection();
	}

	/**
	 * Reads all values by path, with times relative to the start.
	 */
	SortedMap<String, Cell> snapshot(Instant start) {
		Cells cells = new Cells(start);
		KeyReader reader = new KeyReader(this.redis, cells);
		keys("*").forEach(reader::read);
		return cells.all();
	}

	/**
	 * Runs commands, as another process might.
	 */
	void run(JsonNode commands) {
		for (JsonNode command : commands) {
			byte[][] words = command.valueStream().map((word) -> bytes(word.asString())).skip(1).toArray(byte[][]::new);
			this.redis.execute(command.required(0).asString(), words);
		}
	}

	/**
	 * Returns whether sizes are as expected.
	 * @param expected size by key; a name may contain * for any text
	 */
	boolean has(Map<String, Long> expected) {
		return expected.entrySet()
			.stream()
			.allMatch((entry) -> keys(entry.getKey()).stream().mapToLong(this::size).sum() == entry.getValue());
	}

	void clear() {
		this.redis.serverCommands().flushDb();
	}

	@Override
	public void close() {
		this.redis.close();
		this.connections.destroy();
	}

	private Set<String> keys(String pattern) {
		Set<String> names = new TreeSet<>();
		this.redis.keyCommands()
			.scan(ScanOptions.scanOptions().match(pattern).count(1000).build())
			.forEachRemaining((name) -> names.add(new String(name, StandardCharsets.UTF_8)));
		return names;
	}

	private long size(String key) {
		byte[] name = bytes(key);
		Long size = switch (type(name)) {
			case LIST -> this.redis.listCommands().lLen(name);
			case SET -> this.redis.setCommands().sCard(name);
			case ZSET -> this.redis.zSetCommands().zCard(name);
			case HASH -> this.redis.hashCommands().hLen(name);
			case NONE -> 0L;
			default -> 1L;
		};
		return (size != null) ? size : 0;
	}

	private DataType type(byte[] key) {
		DataType type = this.redis.keyCommands().type(key);
		return (type != null) ? type : DataType.NONE;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
