package io.asynq.internal.inspect;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.redis.DeletedTasks;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.PublishedQueues;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.Text;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

public class QueueKeeper {

	private static final Logger logger = OneLineLogger.of(QueueKeeper.class);

	private final ScriptRunner scripts;

	private final Clock clock;

	private final PublishedQueues published;

	public QueueKeeper(ScriptRunner scripts, Clock clock, PublishedQueues published) {
		this.scripts = scripts;
		this.clock = clock;
		this.published = published;
	}

	/** The queue need not exist yet. */
	public boolean pause(String queue) {
		return this.scripts.runLong(LuaScript.PAUSE_QUEUE, Text.queue(queue), List.of(Keys.of(queue).paused()),
				Text.seconds(this.clock.instant())) == 1;
	}

	public boolean resume(String queue) {
		return this.scripts.run("DEL", Text.queue(queue),
				(template) -> Boolean.TRUE.equals(template.delete(Keys.of(queue).paused())));
	}

	/**
	 * Returns the tasks that prevent it, as active ones always do; a deletion that fails
	 * is continued by the next one of any queue, or by the queue's servers.
	 */
	public Map<String, Long> delete(String queue, boolean force) {
		Map<String, Long> inTheWay = new QueueDeletion(this.scripts, queue, force).run();
		this.published.forget(queue);
		if (inTheWay.isEmpty()) {
			finishInterrupted();
		}
		return inTheWay;
	}

	/** Other queues may have no servers that would; failures do not concern this one. */
	private void finishInterrupted() {
		try {
			this.scripts
				.run("SMEMBERS", Keys.QUEUES,
						(template) -> Objects.requireNonNull(template.opsForSet().members(Keys.QUEUES)))
				.forEach((name) -> finishInterrupted(Text.of(name)));
		}
		catch (BrokerException ex) {
			logger.debug("Interrupted deletions are left to the next deletion", ex);
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
			// A user's rights may be limited to one queue
			logger.debug("It cannot be seen whether a deletion of queue {} was interrupted", queue, ex);
		}
	}

}
