package io.asynq.broker.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import io.asynq.BrokerException;
import io.asynq.broker.SchedulerEntrySnapshot;
import io.asynq.broker.SchedulerRegistry;
import io.asynq.broker.ServerIdentity;

import org.springframework.data.redis.connection.DataType;

/**
 * Keeps the lists of schedulers' entries and what was enqueued for them (protocol 6.21).
 * An entry's history lies in no queue's slot and is the only key of its commands.
 */
final class RedisSchedulerRegistry implements SchedulerRegistry {

	private static final Duration HISTORY_LIFE = Duration.ofDays(90);

	private final ScriptRunner scripts;

	private final Clock clock;

	private final DeadMembers dead;

	private final AtomicBoolean trimmed = new AtomicBoolean();

	RedisSchedulerRegistry(ScriptRunner scripts, Clock clock) {
		this.scripts = scripts;
		this.clock = clock;
		this.dead = new DeadMembers(scripts, clock);
	}

	@Override
	public void write(ServerIdentity scheduler, List<SchedulerEntrySnapshot> entries, Duration ttl) {
		// A fraction would make Redis refuse the life of a list that is written already
		long seconds = Math.max(1, ttl.plusMillis(999).toSeconds());
		String key = key(scheduler);
		String subject = subject(scheduler);
		double expiry = Text.seconds(this.clock.instant()) + seconds;
		this.scripts.run("ZADD", subject,
				(template) -> template.opsForZSet().add(Keys.SCHEDULERS, Text.utf8(key), expiry));
		List<Object> args = new ArrayList<>(1 + entries.size());
		args.add(seconds);
		entries.forEach((entry) -> args.add(StateCodec.encode(entry)));
		this.scripts.runLong(LuaScript.WRITE_SCHEDULER, subject, List.of(key), args.toArray());
		// Who is started again and again leaves no more than one member behind
		if (this.trimmed.compareAndSet(false, true)) {
			this.dead.trim(Keys.SCHEDULERS, List::of);
		}
	}

	@Override
	public void recordEnqueued(String entry, String taskId, Instant at) {
		String key = Keys.schedulerHistory(entry);
		long code = this.scripts.runLong(LuaScript.RECORD_ENQUEUED, "periodic task '" + entry + "'", List.of(key),
				Text.seconds(at), StateCodec.encodeEvent(taskId, at), HISTORY_LIFE.toSeconds());
		if (code != 1) {
			throw new BrokerException("Key " + key + " is no sorted set, so that task '" + taskId
					+ "' is not in the history of periodic task '" + entry + "': delete it", null);
		}
	}

	@Override
	public Set<String> forget(ServerIdentity scheduler, Collection<String> entries) {
		if (entries.isEmpty()) {
			return Set.of();
		}
		this.dead.trim(Keys.SCHEDULERS, List::of);
		return this.scripts.run("DEL", subject(scheduler), (template) -> {
			Set<String> own = new LinkedHashSet<>(entries);
			if (template.type(Keys.SCHEDULERS) == DataType.ZSET) {
				for (byte[] member : template.opsForZSet().range(Keys.SCHEDULERS, 0, -1)) {
					String key = Text.of(member);
					if (!key.equals(key(scheduler)) && template.type(key) == DataType.LIST) {
						template.opsForList().range(key, 0, -1).forEach((entry) -> own.remove(StateCodec.id(entry)));
					}
				}
			}
			// One by one: each lies in a slot of its own
			own.forEach((entry) -> template.delete(Keys.schedulerHistory(entry)));
			return own;
		});
	}

	@Override
	public void clear(ServerIdentity scheduler) {
		this.scripts.run("ZREM", subject(scheduler), (template) -> {
			template.opsForZSet().remove(Keys.SCHEDULERS, (Object) Text.utf8(key(scheduler)));
			return template.delete(key(scheduler));
		});
	}

	private static String key(ServerIdentity scheduler) {
		return Keys.scheduler(scheduler.host(), scheduler.pid(), scheduler.serverId());
	}

	private static String subject(ServerIdentity scheduler) {
		return "scheduler " + scheduler.serverId();
	}

}
