package io.asynq.broker.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.asynq.BrokerException;
import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.EnqueueStatus;
import io.asynq.broker.Fire;
import io.asynq.broker.FireStore;
import io.asynq.broker.Placement;
import io.asynq.broker.TaskMessage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps who was first at a fire, and the last fire of entries that want to know. Both lie
 * in the slot of the task's queue, so that the task and the mark are written together.
 */
final class RedisFireStore implements FireStore {

	/**
	 * How long a fire is kept: a scheduler that comes later than this has been away for
	 * longer than any difference of clocks.
	 */
	private static final Duration FIRE_LIFE = Duration.ofHours(24);

	/** Longer than a year, so that yearly entries know their last fire. */
	private static final Duration LAST_LIFE = Duration.ofDays(400);

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final PublishedQueues published;

	RedisFireStore(ScriptRunner scripts, ScriptTime time, PublishedQueues published) {
		this.scripts = scripts;
		this.time = time;
		this.published = published;
	}

	@Override
	public Optional<EnqueueStatus> enqueue(EnqueueRequest request, Fire fire) {
		TaskMessage message = request.message();
		Keys keys = Keys.of(message.queue());
		String lock = "";
		if (request.lockTtl() != null) {
			lock = keys.unique(message.type(), message.payload());
			message = message.toBuilder().uniqueKey(lock).build();
		}
		this.published.publish(message.queue());
		Placement placement = request.placement();
		String group = (placement instanceof Placement.Pending) ? "" : message.group();
		String unused = keys.pending();
		long code = this.scripts.runLong(LuaScript.FIRE,
				"fire of periodic task '" + fire.entry() + "' in queue '" + message.queue() + "'",
				List.of(keys.task(message.id()), keys.pending(), keys.scheduled(), keys.groups(),
						group.isEmpty() ? unused : keys.group(group), lock.isEmpty() ? unused : lock,
						keys.fire(fire.entry(), fire.at()), keys.lastFire(fire.entry())),
				place(placement), message.id(), TaskMessageCodec.encode(message), at(placement), group,
				(request.lockTtl() != null) ? request.lockTtl().toSeconds() : 0, this.time.argument(), fire.asker(),
				FIRE_LIFE.toSeconds(), Text.seconds(fire.at()), fire.remembered() ? LAST_LIFE.toSeconds() : 0,
				fire.missed() ? "1" : "0");
		return switch ((int) code) {
			case 2 -> Optional.empty();
			case 1 -> Optional.of(EnqueueStatus.ENQUEUED);
			case 0 -> Optional.of(EnqueueStatus.ID_CONFLICT);
			case -1 -> Optional.of(EnqueueStatus.DUPLICATE);
			default -> Optional.of(EnqueueStatus.BROKEN);
		};
	}

	@Override
	public void pass(String queue, Fire fire) {
		String key = Keys.of(queue).lastFire(fire.entry());
		long code = this.scripts.runLong(LuaScript.PASS_FIRE, subject(queue, fire.entry()), List.of(key),
				Text.seconds(fire.at()), LAST_LIFE.toSeconds());
		if (code == -2) {
			throw noTime(key, null);
		}
	}

	@Override
	public Instant lastFire(String queue, String entry, Instant first) {
		String key = Keys.of(queue).lastFire(entry);
		byte[] known = this.scripts.run("SET", subject(queue, entry), (template) -> {
			template.opsForValue().setIfAbsent(key, Text.utf8(String.valueOf(Text.seconds(first))), LAST_LIFE);
			return template.opsForValue().get(key);
		});
		try {
			return Text.instant(Long.parseLong(Text.of(Objects.requireNonNullElse(known, new byte[0]))));
		}
		catch (NumberFormatException ex) {
			throw noTime(key, ex);
		}
	}

	@Override
	public void forget(String queue, String entry) {
		this.scripts.run("DEL", subject(queue, entry), (template) -> template.delete(Keys.of(queue).lastFire(entry)));
	}

	private static String subject(String queue, String entry) {
		return "last fire of periodic task '" + entry + "' in queue '" + queue + "'";
	}

	private static BrokerException noTime(String key, @Nullable Exception cause) {
		return new BrokerException("Key " + key + " is to hold seconds, but holds something else: delete it", cause);
	}

	private static String place(Placement placement) {
		if (placement instanceof Placement.Scheduled) {
			return "scheduled";
		}
		return (placement instanceof Placement.Grouped) ? "grouped" : "pending";
	}

	private static Object at(Placement placement) {
		return (placement instanceof Placement.Scheduled later) ? Text.seconds(later.at()) : "";
	}

}
