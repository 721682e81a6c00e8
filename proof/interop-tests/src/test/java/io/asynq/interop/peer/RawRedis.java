package io.asynq.interop.peer;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;

/**
 * Redis as it is, without either implementation. Key names are literals on purpose: both
 * sides must agree on them.
 */
public final class RawRedis {

	private final StringRedisTemplate text;

	private final RedisTemplate<String, byte[]> bytes = new RedisTemplate<>();

	RawRedis(RedisConnectionFactory connections) {
		this.text = new StringRedisTemplate(connections);
		this.bytes.setConnectionFactory(connections);
		this.bytes.setKeySerializer(RedisSerializer.string());
		this.bytes.setHashKeySerializer(RedisSerializer.string());
		this.bytes.setHashValueSerializer(RedisSerializer.byteArray());
		this.bytes.setValueSerializer(RedisSerializer.byteArray());
		this.bytes.afterPropertiesSet();
	}

	/**
	 * Reads a task's hash.
	 * @param queue the queue
	 * @param id the id
	 * @return the fields, each byte a char; empty if there is no such task
	 */
	public Map<String, String> taskHash(String queue, String id) {
		Map<String, String> fields = new HashMap<>();
		this.bytes.<String, byte[]>opsForHash()
			.entries(taskKey(queue, id))
			.forEach((name, value) -> fields.put(name, new String(value, StandardCharsets.ISO_8859_1)));
		return fields;
	}

	public byte @Nullable [] message(TaskView task) {
		return this.bytes.<String, byte[]>opsForHash().get(taskKey(task.queue(), task.id()), "msg");
	}

	public void writeMessage(TaskView task, byte[] message) {
		this.bytes.opsForHash().put(taskKey(task.queue(), task.id()), "msg", message);
	}

	public @Nullable String string(String key) {
		return this.text.opsForValue().get(key);
	}

	public @Nullable Double score(String key, String member) {
		return this.text.opsForZSet().score(key, member);
	}

	public List<String> list(String key) {
		return this.text.opsForList().range(key, 0, -1);
	}

	public long ttlMillis(String key) {
		return this.text.getExpire(key, TimeUnit.MILLISECONDS);
	}

	public Set<String> keys(String pattern) {
		return new TreeSet<>(this.text.keys(pattern));
	}

	/**
	 * Returns how many connections listen to a channel.
	 */
	public long subscribers(String channel) {
		return this.text.execute((RedisCallback<Long>) (connection) -> {
			List<?> answer = (List<?>) connection.execute("PUBSUB", "NUMSUB".getBytes(StandardCharsets.UTF_8),
					channel.getBytes(StandardCharsets.UTF_8));
			return ((Number) answer.get(1)).longValue();
		});
	}

	public void deleteAll() {
		this.text.execute((RedisCallback<Void>) (connection) -> {
			connection.serverCommands().flushDb();
			return null;
		});
	}

	private static String taskKey(String queue, String id) {
		return "asynq:{" + queue + "}:t:" + id;
	}

}
