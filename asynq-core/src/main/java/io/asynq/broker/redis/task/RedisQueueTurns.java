package io.asynq.broker.redis.task;

import java.time.Duration;

import io.asynq.broker.QueueTurns;
import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.Text;

/**
 * Keeps turns as keys that expire.
 */
public final class RedisQueueTurns implements QueueTurns {

	private final ScriptRunner scripts;

	public RedisQueueTurns(ScriptRunner scripts) {
		this.scripts = scripts;
	}

	@Override
	public boolean take(String queue, Duration length) {
		String key = Keys.of(queue).turn();
		return Boolean.TRUE.equals(this.scripts.run("SET", "turn in queue '" + queue + "'",
				(template) -> template.opsForValue().setIfAbsent(key, Text.utf8("taken"), length)));
	}

}
