package io.asynq.broker.redis;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.asynq.broker.QueueKeeper;

/**
 * Pauses, resumes and deletes queues (protocol 6.22).
 */
final class RedisQueueKeeper implements QueueKeeper {

	private final ScriptRunner scripts;

	private final Clock clock;

	private final PublishedQueues published;

	RedisQueueKeeper(ScriptRunner scripts, Clock clock, PublishedQueues published) {
		this.scripts = scripts;
		this.clock = clock;
		this.published = published;
	}

	@Override
	public boolean pause(String queue) {
		return this.scripts.runLong(LuaScript.PAUSE_QUEUE, Text.queue(queue), List.of(Keys.of(queue).paused()),
				Text.seconds(this.clock.instant())) == 1;
	}

	@Override
	public boolean resume(String queue) {
		return this.scripts.run("DEL", Text.queue(queue),
				(template) -> Boolean.TRUE.equals(template.delete(Keys.of(queue).paused())));
	}

	@Override
	public Map<String, Long> delete(String queue, boolean force) {
		Map<String, Long> inTheWay = new QueueDeletion(this.scripts, queue, force).run();
		this.published.forget(queue);
		if (inTheWay.isEmpty()) {
			finishInterrupted();
		}
		return inTheWay;
	}

	/**
	 * A deletion that was interrupted leaves its queue listed. Servers of the queue
	 * finish it, but it may have none.
	 */
	private void finishInterrupted() {
		this.scripts
			.run("SMEMBERS", Keys.QUEUES,
					(template) -> Objects.requireNonNull(template.opsForSet().members(Keys.QUEUES)))
			.forEach((name) -> new DeletedTasks(this.scripts, Text.of(name)).finish(Integer.MAX_VALUE));
	}

}
