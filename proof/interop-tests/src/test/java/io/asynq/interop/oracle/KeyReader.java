package io.asynq.interop.oracle;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.protobuf.InvalidProtocolBufferException;
import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.zset.Tuple;

/**
 * Splits keys into their parts. Names are literals on purpose: both sides must agree on
 * them.
 */
final class KeyReader {

	private final RedisConnection redis;

	private final Cells cells;

	private final Messages messages;

	KeyReader(RedisConnection redis, Cells cells) {
		this.redis = redis;
		this.cells = cells;
		this.messages = new Messages(cells);
	}

	void read(String key) {
		byte[] name = key.getBytes(StandardCharsets.UTF_8);
		Long ttl = this.redis.keyCommands().pTtl(name);
		if (ttl != null && ttl > 0) {
			this.cells.expiry(key + "/ttl", ttl / 1000.0);
		}
		DataType type = this.redis.keyCommands().type(name);
		try {
			switch ((type != null) ? type : DataType.NONE) {
				case STRING -> string(key, this.redis.stringCommands().get(name));
				case LIST -> list(key, this.redis.listCommands().lRange(name, 0, -1));
				case SET -> set(key, this.redis.setCommands().sMembers(name));
				case ZSET -> sortedSet(key, this.redis.zSetCommands().zRangeWithScores(name, 0, -1));
				case HASH -> hash(key, this.redis.hashCommands().hGetAll(name));
				case NONE -> {
					// Gone meanwhile
				}
				default -> this.cells.text(key, "of type " + type);
			}
		}
		catch (InvalidProtocolBufferException ex) {
			this.cells.text(key, "not a message: " + ex.getMessage());
		}
	}

	private void string(String key, byte[] value) throws InvalidProtocolBufferException {
		if (key.startsWith("asynq:servers:")) {
			this.messages.server(key, value);
		}
		else if (key.endsWith(":paused")) {
			this.cells.time(key, Long.parseLong(text(value)));
		}
		else {
			this.cells.text(key, text(value));
		}
	}

	private void list(String key, List<byte[]> values) throws InvalidProtocolBufferException {
		if (key.startsWith("asynq:schedulers:")) {
			for (byte[] value : values) {
				this.messages.schedulerEntry(key, value);
			}
		}
		else {
			this.cells.text(key, values.stream().map(KeyReader::text).toList());
		}
	}

	private void set(String key, Set<byte[]> values) {
		values.forEach((value) -> this.cells.text(key + "/" + text(value), "member"));
	}

	private void sortedSet(String key, Set<Tuple> values) throws InvalidProtocolBufferException {
		for (Tuple value : values) {
			if (key.startsWith("asynq:scheduler_history:")) {
				this.messages.schedulerEvent(key, value.getValue(), value.getScore());
			}
			else {
				this.cells.score(key + "/" + text(value.getValue()), value.getScore());
			}
		}
	}

	private void hash(String key, Map<byte[], byte[]> fields) throws InvalidProtocolBufferException {
		for (Map.Entry<byte[], byte[]> field : fields.entrySet()) {
			String path = key + "/" + text(field.getKey());
			if (key.startsWith("asynq:workers:")) {
				this.messages.worker(path, field.getValue());
			}
			else if (path.endsWith("/msg")) {
				this.messages.task(path, field.getValue());
			}
			else if (path.endsWith("/pending_since")) {
				this.cells.time(path, Long.parseLong(text(field.getValue())) / 1e9);
			}
			else {
				this.cells.text(path, text(field.getValue()));
			}
		}
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.ISO_8859_1);
	}

}
