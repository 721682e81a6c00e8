package io.asynq.broker.redis;

import java.util.List;

import io.asynq.BrokerException;
import io.asynq.broker.Forwarded;
import io.asynq.broker.TaskForwarder;

/**
 * Makes due tasks pending (protocol 6.12).
 */
final class RedisForwarder implements TaskForwarder {

	private static final int BATCH = 100;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final BrokenTaskHandler broken;

	RedisForwarder(ScriptRunner scripts, ScriptTime time, BrokenTaskHandler broken) {
		this.scripts = scripts;
		this.time = time;
		this.broken = broken;
	}

	@Override
	public Forwarded forward(String queue) {
		Keys keys = Keys.of(queue);
		List<Object> answer = this.scripts.runList(LuaScript.FORWARD, Text.queue(queue),
				List.of(keys.scheduled(), keys.retry(), keys.pending(), keys.groups()), this.time.argument(),
				keys.taskPrefix(), keys.groupPrefix(), BATCH, keys.prefix());
		long moved = (Long) answer.get(0);
		if (moved < 0) {
			this.broken.unusable(queue, keys.pending());
			throw new BrokerException("Due tasks of queue '" + queue + "' cannot be forwarded: " + keys.pending()
					+ " is no list in Redis; rename or delete that key", null);
		}
		this.broken.removed(queue, (List<?>) answer.get(3));
		String lowest = Text.of(answer.get(2));
		return new Forwarded((int) moved, (Long) answer.get(1) == 1, lowest.isEmpty() ? null : Text.instant(lowest),
				Text.ofNanos(answer.get(4)));
	}

}
