package io.asynq.internal.schedule;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.fleet.SchedulerEntrySnapshot;
import io.asynq.internal.fleet.StateCodec;
import io.asynq.internal.redis.DeadMembers;
import io.asynq.internal.redis.FleetKeys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.PublishedQueues;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.redis.Text;
import org.springframework.data.redis.connection.DataType;

/** A history lies in no queue's slot, so each of its commands has a single key. */
public final class RedisSchedulerStore implements SchedulerStore {

	private static final Duration HISTORY_LIFE = Duration.ofDays(90);

	/** Histories of up to a thousand events each that one call deletes. */
	private static final int HISTORIES = 50;

	private final ScriptRunner scripts;

	private final Clock clock;

	private final Fires fires;

	private final DeadMembers dead;

	private final AtomicBoolean trimmed = new AtomicBoolean();

	public RedisSchedulerStore(ScriptRunner scripts, Clock clock, ScriptTime time, PublishedQueues published) {
		this.scripts = scripts;
		this.clock = clock;
		this.fires = new Fires(scripts, time, published);
		this.dead = new DeadMembers(scripts, clock);
	}

	@Override
	public boolean enqueue(EnqueueRequest request, Fire fire) {
		return this.fires.enqueue(request, fire);
	}

	@Override
	public void pass(String queue, Fire fire) {
		this.fires.pass(queue, fire);
	}

	@Override
	public Instant lastFire(String queue, String entry, Instant first) {
		return this.fires.lastFire(queue, entry, first);
	}

	@Override
	public void forgetFires(String queue, String entry) {
		this.fires.forget(queue, entry);
	}

	@Override
	public void write(ServerIdentity scheduler, List<SchedulerEntrySnapshot> entries, Duration ttl) {
		// Redis would refuse a fraction only after the list was written
		long seconds = Math.max(1, ttl.plusMillis(999).toSeconds());
		String key = FleetKeys.scheduler(scheduler);
		String subject = subject(scheduler);
		this.scripts.runLong(LuaScript.LIST, subject, List.of(FleetKeys.SCHEDULERS),
				Text.seconds(this.clock.instant()) + seconds, key);
		List<Object> args = new ArrayList<>(1 + entries.size());
		args.add(seconds);
		entries.forEach((entry) -> args.add(StateCodec.encode(entry)));
		this.scripts.runLong(LuaScript.WRITE_SCHEDULER, subject, List.of(key), args.toArray());
		// Frequent restarts leave no more than one member behind
		if (this.trimmed.compareAndSet(false, true)) {
			this.dead.trim(FleetKeys.SCHEDULERS, List::of);
		}
	}

	@Override
	public void recordEnqueued(String entry, String taskId, Instant at) {
		this.scripts.runLong(LuaScript.RECORD_ENQUEUED, "task '" + taskId + "' of periodic task '" + entry + "'",
				List.of(FleetKeys.schedulerHistory(entry)), Text.seconds(at), StateCodec.encodeEvent(taskId, at),
				HISTORY_LIFE.toSeconds());
	}

	@Override
	public Set<String> forget(ServerIdentity scheduler, Collection<String> entries) {
		if (entries.isEmpty()) {
			return Set.of();
		}
		this.dead.trim(FleetKeys.SCHEDULERS, List::of);
		return this.scripts.run("DEL", subject(scheduler), (template) -> {
			Set<String> own = new LinkedHashSet<>(entries);
			if (template.type(FleetKeys.SCHEDULERS) == DataType.ZSET) {
				for (byte[] member : template.opsForZSet().range(FleetKeys.SCHEDULERS, 0, -1)) {
					String key = Text.of(member);
					if (!key.equals(FleetKeys.scheduler(scheduler)) && template.type(key) == DataType.LIST) {
						template.opsForList().range(key, 0, -1).forEach((entry) -> own.remove(StateCodec.id(entry)));
					}
				}
			}
			List<String> histories = own.stream().map(FleetKeys::schedulerHistory).toList();
			// On a cluster each lies in its own slot, and Jedis refuses them in one call
			int step = this.scripts.seesCluster() ? 1 : HISTORIES;
			for (int from = 0; from < histories.size(); from += step) {
				template.delete(histories.subList(from, Math.min(from + step, histories.size())));
			}
			return own;
		});
	}

	@Override
	public void clear(ServerIdentity scheduler) {
		this.scripts.run("ZREM", subject(scheduler), (template) -> {
			template.opsForZSet().remove(FleetKeys.SCHEDULERS, (Object) Text.utf8(FleetKeys.scheduler(scheduler)));
			return template.delete(FleetKeys.scheduler(scheduler));
		});
	}

	private static String subject(ServerIdentity scheduler) {
		return "scheduler " + scheduler.serverId();
	}

}
