package io.asynq.broker.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.asynq.broker.BrokenTask;
import io.asynq.test.MutableClock;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;

/**
 * What every contract suite has. Subclasses say which driver and which kind of Redis.
 */
abstract class BrokerContract {

	static final String QUEUE = "default";

	/** UTC day of {@link #clock}. */
	static final String DAY = "2026-03-04";

	final MutableClock clock = MutableClock.create();

	final RedisConnectionFactory factory;

	final ScriptRunner scripts;

	final RedisState state;

	final List<BrokenTask> brokenTasks = new CopyOnWriteArrayList<>();

	BrokerContract(RedisConnectionFactory factory) {
		this.factory = factory;
		this.scripts = scripts(factory);
		this.state = new RedisState(factory);
	}

	static ScriptRunner scripts(RedisConnectionFactory factory) {
		RedisTemplate<String, byte[]> template = new RedisTemplate<>();
		template.setConnectionFactory(factory);
		template.setKeySerializer(RedisSerializer.string());
		template.setValueSerializer(RedisSerializer.byteArray());
		template.setHashKeySerializer(RedisSerializer.string());
		template.setHashValueSerializer(RedisSerializer.byteArray());
		template.afterPropertiesSet();
		return new ScriptRunner(template);
	}

	long nowSeconds() {
		return this.clock.instant().getEpochSecond();
	}

	static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
