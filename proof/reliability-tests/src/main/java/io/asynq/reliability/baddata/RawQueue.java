package io.asynq.reliability.baddata;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Bytes, read and written without the client. */
record RawQueue(RedisConnectionFactory factory, String name) {

	byte[] key(String suffix) {
		return utf8("asynq:{" + this.name + "}:" + suffix);
	}

	byte[] taskKey(byte[] id) {
		byte[] prefix = key("t:");
		byte[] key = Arrays.copyOf(prefix, prefix.length + id.length);
		System.arraycopy(id, 0, key, prefix.length, id.length);
		return key;
	}

	void task(byte[] id, byte @Nullable [] message, @Nullable String state) {
		if (message != null) {
			run("HSET", taskKey(id), utf8("msg"), message);
		}
		if (state != null) {
			run("HSET", taskKey(id), utf8("state"), utf8(state));
		}
	}

	void listed(String list, byte[] id) {
		run("LPUSH", key(list), id);
	}

	void sorted(String set, byte[] id, String score) {
		run("ZADD", key(set), utf8(score), id);
	}

	byte @Nullable [] field(byte[] id, String field) {
		return type(taskKey(id)).equals("hash") ? (byte[]) run("HGET", taskKey(id), utf8(field)) : null;
	}

	String type(byte[] key) {
		return text(run("TYPE", key));
	}

	boolean isListed(String list, byte[] id) {
		return type(key(list)).equals("list") && run("LPOS", key(list), id) != null;
	}

	boolean isSorted(String set, byte[] id) {
		return type(key(set)).equals("zset") && run("ZSCORE", key(set), id) != null;
	}

	boolean isIdle() {
		return type(key("pending")).equals("none") && type(key("active")).equals("none");
	}

	List<String> places(byte[] id) {
		return Stream.of("pending", "active", "lease", "scheduled", "retry", "archived", "completed")
			.filter((place) -> place.equals("pending") || place.equals("active") ? isListed(place, id)
					: isSorted(place, id))
			.toList();
	}

	@Nullable Object run(String command, byte[]... arguments) {
		try (RedisConnection connection = this.factory.getConnection()) {
			return connection.execute(command, arguments);
		}
	}

	void writeOtherThan(String type, byte[] key, Random random) {
		List<String> types = Stream.of("string", "list", "hash", "set", "zset", "stream")
			.filter((other) -> !other.equals(type))
			.toList();
		byte[] value = utf8("not asynq's");
		switch (types.get(random.nextInt(types.size()))) {
			case "string" -> run("SET", key, value);
			case "list" -> run("LPUSH", key, value);
			case "hash" -> run("HSET", key, value, value);
			case "set" -> run("SADD", key, value);
			case "zset" -> run("ZADD", key, utf8("1"), value);
			default -> run("XADD", key, utf8("*"), value, value);
		}
	}

	static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String text(@Nullable Object answer) {
		return (answer instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(answer);
	}

}
