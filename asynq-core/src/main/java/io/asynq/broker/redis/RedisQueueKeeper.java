package io.asynq.broker.redis;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.QueueKeeper;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Pauses, resumes and deletes queues (protocol 6.22).
 */
final class RedisQueueKeeper implements QueueKeeper {

	private static final Logger logger = OneLineLogger.of(RedisQueueKeeper.class);

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
	 * finish it, but it may have none. What goes wrong here says nothing of the queue
	 * that has just been deleted.
	 */
	private void finishInterrupted() {
		try {
			this.scripts
				.run("SMEMBERS", Keys.QUEUES,
						(template) -> Objects.requireNonNull(template.opsForSet().members(Keys.QUEUES)))
				.forEach((name) -> finishInterrupted(Text.of(name)));
		}
		catch (BrokerException ex) {
			logger.debug("Deletions that were interrupted are left to the next deletion", ex);
		}
	}

	private void finishInterrupted(String queue) {
		try {
			new DeletedTasks(this.scripts, queue).finish(Integer.MAX_VALUE);
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (BrokerException ex) {
			// Who may use one queue may not use all
			logger.debug("It cannot be seen whether a deletion of queue '{}' was interrupted", queue, ex);
		}
	}

}
