package io.asynq.internal.redis;

import java.util.concurrent.ThreadPoolExecutor;

import io.asynq.internal.redis.driver.CallTime;
import io.asynq.internal.redis.driver.CheckedJedis;
import io.asynq.internal.redis.driver.LettuceCalls;
import io.asynq.internal.redis.driver.LettuceConnections;
import io.asynq.internal.redis.driver.UnboundConnections;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;

import static io.asynq.internal.redis.driver.Drivers.JEDIS;
import static io.asynq.internal.redis.driver.Drivers.LETTUCE;

/**
 * Lends connections, never the one bound to the thread; unless trusted, over Jedis one
 * that Redis has not closed meanwhile, over Lettuce with a way to send scripts once.
 */
final class Connections {

	private final boolean isJedis;

	private final boolean ofCluster;

	private final RedisConnectionFactory checked;

	private final RedisConnectionFactory trusted;

	private final @Nullable LettuceCalls lettuce;

	private final RedisTemplate<String, byte[]> template;

	private final RedisTemplate<String, byte[]> trustedTemplate;

	private final RedisTemplate<String, byte[]> asGiven;

	/** {@code null} for a factory that may choose connections by the calling thread. */
	private final @Nullable ThreadPoolExecutor waiting;

	/** Whether the last connection lent can send scripts once. */
	private volatile boolean once;

	Connections(RedisConnectionFactory application) {
		CheckedJedis jedis = JEDIS ? CheckedJedis.over(application) : null;
		RedisConnectionFactory lettuce = LETTUCE ? LettuceConnections.over(application) : null;
		RedisConnectionFactory own = (lettuce != null) ? lettuce : new UnboundConnections(application);
		this.isJedis = jedis != null;
		this.ofCluster = JEDIS && CheckedJedis.isOfCluster(application)
				|| LETTUCE && LettuceCalls.areOfCluster(application);
		this.checked = (jedis != null) ? jedis : own;
		this.trusted = (jedis != null) ? jedis.trusting() : own;
		this.lettuce = LETTUCE ? new LettuceCalls() : null;
		this.template = over(this.checked);
		this.trustedTemplate = over(this.trusted);
		this.asGiven = over(own);
		this.waiting = (jedis != null || lettuce != null) ? CallTime.threads("asynq-connections-") : null;
	}

	boolean areOfCluster() {
		return this.ofCluster;
	}

	/** Trusting means not to check whether Redis has closed the connection. */
	RedisTemplate<String, byte[]> template(boolean trust) {
		return trust ? this.trustedTemplate : this.template;
	}

	/** For calls without a key, such as those for a cluster's nodes. */
	<T> T callAsGiven(RedisCallback<T> call) {
		CallTime time = CallTime.present();
		return (time != null && this.waiting != null)
				? time.elsewhere(this.waiting, () -> this.asGiven.execute(call), (answer) -> {
				}) : this.asGiven.execute(call);
	}

	/** {@code false} for our Jedis calls, and where Lettuce is prevented from it. */
	boolean mayRepeat() {
		return !this.isJedis && !this.once;
	}

	<T> T call(boolean trust, RedisCallback<T> call) {
		try (RedisConnection connection = (trust ? this.trusted : this.checked).getConnection()) {
			return call.doInRedis(connection);
		}
	}

	boolean isCluster(RedisConnection connection) {
		return connection instanceof RedisClusterConnection || this.isJedis && CheckedJedis.isCluster(connection);
	}

	@Nullable LettuceCalls once(RedisConnection connection) {
		LettuceCalls way = (this.lettuce != null && this.lettuce.canUse(connection)) ? this.lettuce : null;
		if (this.once != (way != null)) {
			this.once = way != null;
		}
		return way;
	}

	private static RedisTemplate<String, byte[]> over(RedisConnectionFactory factory) {
		RedisTemplate<String, byte[]> template = new RedisTemplate<>();
		template.setConnectionFactory(factory);
		template.setKeySerializer(RedisSerializer.string());
		template.setValueSerializer(RedisSerializer.byteArray());
		template.setHashKeySerializer(RedisSerializer.string());
		template.setHashValueSerializer(RedisSerializer.byteArray());
		template.afterPropertiesSet();
		return template;
	}

}
