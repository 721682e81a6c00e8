package io.asynq.internal.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The writing half of {@link RedisState}. Key names are literals on purpose: they are the
 * contract.
 */
abstract class RedisSeeds {

	final StringRedisTemplate text;

	RedisSeeds(RedisConnectionFactory factory) {
		this.text = new StringRedisTemplate(factory);
	}

	/**
	 * Returns a small valid message.
	 * @param queue its queue
	 * @param id its id
	 * @return a builder, to be varied
	 */
	public static TaskMessage.Builder message(String queue, String id) {
		return TaskMessage.builder("email:send", id, queue)
			.payload("{\"user_id\":42}".getBytes(StandardCharsets.UTF_8))
			.maxRetry(25)
			.timeoutSeconds(1800);
	}

	/**
	 * Returns the name of a queue's key.
	 * @param queue the queue
	 * @param suffix what follows the prefix, such as {@code pending} or {@code t:id}
	 * @return the key
	 */
	public static String key(String queue, String suffix) {
		return "asynq:{" + queue + "}:" + suffix;
	}

	/**
	 * Returns a template for everything that has no method here.
	 */
	public StringRedisTemplate redis() {
		return this.text;
	}

	/**
	 * Adds pending tasks.
	 * @param messages the one to be run first comes first
	 */
	public void seedPending(TaskMessage... messages) {
		for (TaskMessage message : messages) {
			seedHash(message, "pending", "pending_since", "1700000000000000000");
			this.text.opsForList().leftPush(key(message.queue(), "pending"), message.id());
		}
	}

	/**
	 * Adds active tasks.
	 * @param leaseEnd end of their leases, {@code null} for none
	 * @param messages the one dequeued first comes first
	 */
	public void seedActive(@Nullable Instant leaseEnd, TaskMessage... messages) {
		for (TaskMessage message : messages) {
			seedHash(message, "active");
			this.text.opsForList().leftPush(key(message.queue(), "active"), message.id());
			if (leaseEnd != null) {
				this.text.opsForZSet().add(key(message.queue(), "lease"), message.id(), leaseEnd.getEpochSecond());
			}
		}
	}

	public void seedScheduled(Instant at, TaskMessage... messages) {
		seedSorted("scheduled", at, messages);
	}

	public void seedRetry(Instant at, TaskMessage... messages) {
		seedSorted("retry", at, messages);
	}

	public void seedArchived(Instant at, TaskMessage... messages) {
		seedSorted("archived", at, messages);
	}

	public void seedCompleted(Instant expiry, TaskMessage... messages) {
		seedSorted("completed", expiry, messages);
	}

	/**
	 * Adds tasks to the group that each message names.
	 */
	public void seedGrouped(Instant addedAt, TaskMessage... messages) {
		for (TaskMessage message : messages) {
			seedHash(message, "aggregating", "group", message.group());
			this.text.opsForZSet()
				.add(key(message.queue(), "g:" + message.group()), message.id(), addedAt.getEpochSecond());
			this.text.opsForSet().add(key(message.queue(), "groups"), message.group());
		}
	}

	/**
	 * Makes a task the holder of a lock.
	 */
	public void seedLock(String lock, String id) {
		this.text.opsForValue().set(lock, id, Duration.ofHours(1));
	}

	/**
	 * Writes the bytes of a field of a task's hash.
	 */
	public void seedField(String queue, String id, String field, byte[] value) {
		this.text.execute(
				(connection) -> connection.hashCommands().hSet(utf8(key(queue, "t:" + id)), utf8(field), value), true);
	}

	/**
	 * Adds many small tasks at once, {@code t00000} and so on.
	 * @param queue the queue
	 * @param state {@code pending}, or a sorted one
	 * @param count how many
	 * @param score their score in a sorted set
	 */
	public void seedMany(String queue, String state, int count, long score) {
		String script = """
				for i = ARGV[6], ARGV[1] - 1 do
				  local id = string.format('t%05d', i)
				  redis.call('HSET', ARGV[3] .. 't:' .. id, 'msg', ARGV[4], 'state', ARGV[2])
				  if ARGV[2] == 'pending' then
				    redis.call('LPUSH', KEYS[1], id)
				  else
				    redis.call('ZADD', KEYS[1], ARGV[5], id)
				  end
				end
				return 1
				""";
		String error = (state.equals("retry") || state.equals("archived")) ? "boom" : "";
		byte[] message = TaskMessageCodec.encode(message(queue, "many").errorMessage(error).build());
		// Small steps, so that on a slow machine no call runs into the time-out
		for (int first = 0; first < count; first += 5000) {
			String from = String.valueOf(first);
			String end = String.valueOf(Math.min(count, first + 5000));
			this.text.execute((connection) -> connection.scriptingCommands()
				.eval(utf8(script), ReturnType.INTEGER, 1, utf8(key(queue, state)), utf8(end), utf8(state),
						utf8(key(queue, "")), message, utf8(String.valueOf(score)), utf8(from)),
					true);
		}
		this.text.opsForSet().add("asynq:queues", queue);
	}

	/**
	 * Adds a server without workers.
	 * @param name what tells its keys from others
	 * @param expiry when its entry expires
	 * @param entry its entry
	 */
	public void seedServer(String name, Instant expiry, byte[] entry) {
		String key = "asynq:servers:{" + name + "}";
		this.text.opsForZSet().add("asynq:servers", key, expiry.getEpochSecond());
		this.text.execute((connection) -> connection.stringCommands().set(utf8(key), entry), true);
	}

	/**
	 * Adds a scheduler.
	 * @param key its key
	 * @param expiry when its entries expire
	 * @param entries its entries, as they are listed
	 */
	public void seedScheduler(String key, Instant expiry, byte[]... entries) {
		this.text.opsForZSet().add("asynq:schedulers", key, expiry.getEpochSecond());
		this.text.execute((connection) -> connection.listCommands().rPush(utf8(key), entries), true);
	}

	/**
	 * Adds bytes to a sorted set.
	 */
	public void seedMember(String key, byte[] member, long score) {
		this.text.execute((connection) -> connection.zSetCommands().zAdd(utf8(key), score, member), true);
	}

	private void seedSorted(String state, Instant at, TaskMessage... messages) {
		for (TaskMessage message : messages) {
			seedHash(message, state);
			this.text.opsForZSet().add(key(message.queue(), state), message.id(), at.getEpochSecond());
		}
	}

	private void seedHash(TaskMessage message, String state, String... fields) {
		Map<byte[], byte[]> hash = new LinkedHashMap<>();
		hash.put(utf8("msg"), TaskMessageCodec.encode(message));
		hash.put(utf8("state"), utf8(state));
		if (!message.uniqueKey().isEmpty()) {
			hash.put(utf8("unique_key"), utf8(message.uniqueKey()));
		}
		for (int i = 0; i < fields.length; i += 2) {
			hash.put(utf8(fields[i]), utf8(fields[i + 1]));
		}
		this.text.execute((connection) -> {
			connection.hashCommands().hMSet(utf8(key(message.queue(), "t:" + message.id())), hash);
			return true;
		}, true);
		this.text.opsForSet().add("asynq:queues", message.queue());
	}

	static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
