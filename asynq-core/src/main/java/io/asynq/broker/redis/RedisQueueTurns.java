package io.asynq.broker.redis;

import java.time.Duration;

import io.asynq.broker.QueueTurns;

/**
 * Turns as keys that end by themselves.
 */
final class RedisQueueTurns implements QueueTurns {

	private final ScriptRunner scripts;

	RedisQueueTurns(ScriptRunner scripts) {
		this.scripts = scripts;
	}

	@Override
	public boolean take(String queue, Duration length) {
		String key = Keys.of(queue).turn();
		return Boolean.TRUE.equals(this.scripts.run("SET", "turn in queue '" + queue + "'",
				(template) -> template.opsForValue().setIfAbsent(key, Text.utf8("taken"), length)));
	}

}
