package io.asynq.internal.schedule;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import io.asynq.BrokerException;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.NewTask;
import io.asynq.internal.redis.DeadMembers;
import io.asynq.internal.redis.FleetKeys;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.OptionTexts;
import io.asynq.internal.redis.PublishedQueues;
import io.asynq.internal.redis.Refusal;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.redis.Text;
import io.asynq.internal.redis.proto.SchedulerEnqueueEvent;
import io.asynq.internal.redis.proto.SchedulerEntry;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.DataType;

/**
 * Marks of fires lie in the queue's slot, so that task and mark are written atomically; a
 * history lies in no queue's slot, so each of its commands has a single key.
 */
public class SchedulerStore {

	/** What the script answers if another scheduler was first. */
	private static final int OF_ANOTHER = 2;

	/** Longer than any scheduler's clock is behind. */
	private static final Duration FIRE_LIFE = Duration.ofHours(24);

	/** Longer than a year, so that yearly entries know their last fire. */
	private static final Duration LAST_LIFE = Duration.ofDays(400);

	private static final Duration HISTORY_LIFE = Duration.ofDays(90);

	/** Histories of up to a thousand events each that one call deletes. */
	private static final int HISTORIES = 50;

	/** A payload is written at every heartbeat. */
	private static final int MAX_PAYLOAD = 64 * 1024;

	/** Go asynq 0.24 refuses an entry without a timestamp. */
	private static final Instant NEVER = Instant.parse("0001-01-01T00:00:00Z");

	private final ScriptRunner scripts;

	private final Clock clock;

	private final ScriptTime time;

	private final PublishedQueues published;

	private final DeadMembers dead;

	private final AtomicBoolean trimmed = new AtomicBoolean();

	public SchedulerStore(ScriptRunner scripts, Clock clock, ScriptTime time, PublishedQueues published) {
		this.scripts = scripts;
		this.clock = clock;
		this.time = time;
		this.published = published;
		this.dead = new DeadMembers(scripts, clock);
	}

	/**
	 * A fire belongs to the first scheduler that asks, even if its task is refused;
	 * asking again gives the same answer.
	 */
	public boolean enqueue(EnqueueRequest request, Fire fire) {
		NewTask task = NewTask.of(request);
		Keys keys = Keys.of(task.queue());
		this.published.publish(task.queue());
		List<Object> args = new ArrayList<>(List.of(keys.prefix()));
		args.addAll(task.named());
		args.addAll(List.of("now", this.time.argument(), "asker", fire.asker(), "second", Text.seconds(fire.at()),
				"life", FIRE_LIFE.toSeconds(), "last_life", fire.remembered() ? LAST_LIFE.toSeconds() : 0, "missed",
				fire.missed() ? 1 : 0));
		long code = this.scripts.runLong(LuaScript.FIRE,
				"fire of periodic task '" + fire.entry() + "' in queue '" + task.queue() + "'",
				List.of(keys.pending(), keys.scheduled(), keys.groups(), keys.fire(fire.entry(), fire.at()),
						keys.lastFire(fire.entry())),
				args.toArray());
		if (code == OF_ANOTHER) {
			return false;
		}
		Refusal.throwIfAny(task.message(), code);
		return true;
	}

	/** Records a fire without a task as the last one, unless a later one is known. */
	public void pass(String queue, Fire fire) {
		this.scripts.runLong(LuaScript.PASS_FIRE, lastFire(queue, fire.entry()),
				List.of(Keys.of(queue).lastFire(fire.entry())), Text.seconds(fire.at()), LAST_LIFE.toSeconds());
	}

	/** Records {@code first} if no fire is known, from when on fires count as missed. */
	public Instant lastFire(String queue, String entry, Instant first) {
		String key = Keys.of(queue).lastFire(entry);
		byte[] known = this.scripts.run("SET", lastFire(queue, entry), (template) -> {
			template.opsForValue().setIfAbsent(key, Text.utf8(String.valueOf(Text.seconds(first))), LAST_LIFE);
			return template.opsForValue().get(key);
		});
		try {
			return Text.instant(Long.parseLong(Text.of(Objects.requireNonNullElse(known, new byte[0]))));
		}
		catch (NumberFormatException ex) {
			throw new BrokerException("Key " + key + " should hold seconds but holds something else; delete it", ex);
		}
	}

	/** The entry has then missed nothing when it comes back. */
	public void forgetFires(String queue, String entry) {
		this.scripts.run("DEL", lastFire(queue, entry), (template) -> template.delete(Keys.of(queue).lastFire(entry)));
	}

	public void write(ServerIdentity scheduler, List<SchedulerEntrySnapshot> entries, Duration ttl) {
		// Redis would refuse a fraction only after the list was written
		long seconds = Math.max(1, ttl.plusMillis(999).toSeconds());
		String key = FleetKeys.scheduler(scheduler);
		String subject = subject(scheduler);
		this.scripts.runLong(LuaScript.LIST, subject, List.of(FleetKeys.SCHEDULERS),
				Text.seconds(this.clock.instant()) + seconds, key);
		List<Object> args = new ArrayList<>(1 + entries.size());
		args.add(seconds);
		entries.forEach((entry) -> args.add(encode(entry)));
		this.scripts.runLong(LuaScript.WRITE_SCHEDULER, subject, List.of(key), args.toArray());
		// Frequent restarts leave no more than one member behind
		if (this.trimmed.compareAndSet(false, true)) {
			this.dead.trim(FleetKeys.SCHEDULERS, List::of);
		}
	}

	/** Keeps the latest thousand, for 90 days after the last. */
	public void recordEnqueued(String entry, String taskId, Instant at) {
		byte[] event = SchedulerEnqueueEvent.newBuilder()
			.setTaskId(TaskMessageCodec.wellFormed(taskId))
			.setEnqueueTime(TaskMessageCodec.timestamp(at))
			.build()
			.toByteArray();
		this.scripts.runLong(LuaScript.RECORD_ENQUEUED, "task '" + taskId + "' of periodic task '" + entry + "'",
				List.of(FleetKeys.schedulerHistory(entry)), Text.seconds(at), event, HISTORY_LIFE.toSeconds());
	}

	/** Spares entries that another live scheduler lists, and returns the others. */
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
						template.opsForList().range(key, 0, -1).forEach((entry) -> own.remove(id(entry)));
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

	public void clear(ServerIdentity scheduler) {
		this.scripts.run("ZREM", subject(scheduler), (template) -> {
			template.opsForZSet().remove(FleetKeys.SCHEDULERS, (Object) Text.utf8(FleetKeys.scheduler(scheduler)));
			return template.delete(FleetKeys.scheduler(scheduler));
		});
	}

	private static byte[] encode(SchedulerEntrySnapshot entry) {
		SchedulerEntry.Builder message = SchedulerEntry.newBuilder()
			.setId(TaskMessageCodec.wellFormed(entry.id()))
			.setSpec(TaskMessageCodec.wellFormed(entry.spec()))
			.setTaskType(TaskMessageCodec.wellFormed(entry.type()))
			.setNextEnqueueTime(timestamp(entry.next()))
			.setPrevEnqueueTime(timestamp(entry.previous()));
		OptionTexts.of(entry.options())
			.forEach((option) -> message.addEnqueueOptions(TaskMessageCodec.wellFormed(option)));
		byte[] payload = entry.payload();
		if (payload != null && payload.length <= MAX_PAYLOAD) {
			message.setTaskPayload(ByteString.copyFrom(payload));
		}
		return message.build().toByteArray();
	}

	private static Timestamp timestamp(@Nullable Instant instant) {
		return TaskMessageCodec.timestamp((instant != null) ? instant : NEVER);
	}

	private static String id(byte[] entry) {
		try {
			return SchedulerEntry.parseFrom(entry).getId();
		}
		catch (InvalidProtocolBufferException ex) {
			return "";
		}
	}

	private static String lastFire(String queue, String entry) {
		return "last fire of periodic task '" + entry + "' in queue '" + queue + "'";
	}

	private static String subject(ServerIdentity scheduler) {
		return "scheduler " + scheduler.serverId();
	}

}
