package io.asynq.internal.inspect;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.inspect.Inconsistency;
import io.asynq.internal.fleet.ServerRegistry;
import io.asynq.internal.redis.DeletedTasks;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.PublishedQueues;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Text;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.ServedTypes;
import io.asynq.internal.worker.UnhandledStore;
import io.asynq.internal.worker.UnhandledStore.Waiting;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

public final class RedisQueueKeeper implements QueueKeeper {

	private static final Logger logger = OneLineLogger.of(RedisQueueKeeper.class);

	private final ScriptRunner scripts;

	private final Clock clock;

	private final PublishedQueues published;

	private final UnhandledStore waiting;

	private final ServerRegistry servers;

	private final ConsistencyCheck consistency;

	public RedisQueueKeeper(ScriptRunner scripts, Clock clock, ScriptTime time, PublishedQueues published,
			UnhandledStore waiting, ServerRegistry servers) {
		this.scripts = scripts;
		this.clock = clock;
		this.published = published;
		this.waiting = waiting;
		this.servers = servers;
		this.consistency = new ConsistencyCheck(scripts, time);
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

	@Override
	public Map<String, Long> unhandled(String queue) {
		List<Waiting> types = this.waiting.waiting(queue);
		if (types.isEmpty()) {
			return Map.of();
		}
		// A type that a live server handles is only noted until that server has looked
		List<ServedTypes> live = this.servers.served()
			.stream()
			.filter((server) -> server.queues().contains(queue))
			.toList();
		return types.stream()
			.filter((type) -> live.stream().noneMatch((server) -> server.includes(type.type())))
			.collect(Collectors.toMap(Waiting::type, Waiting::tasks, Long::sum, TreeMap::new));
	}

	@Override
	public @Nullable String check(String queue, @Nullable String cursor, int limit, Consumer<Inconsistency> found) {
		return this.consistency.check(queue, cursor, limit, found);
	}

	@Override
	public boolean repair(Inconsistency inconsistency) {
		return this.consistency.repair(inconsistency);
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
