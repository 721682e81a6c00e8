package io.asynq.internal.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.asynq.BrokerException;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.NewTask;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.PublishedQueues;
import io.asynq.internal.redis.Refusal;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Text;

/** Marks lie in the queue's slot, so that task and mark are written atomically. */
final class Fires {

	/** What the script answers if another scheduler was first. */
	private static final int OF_ANOTHER = 2;

	/** Longer than any scheduler's clock is behind. */
	private static final Duration FIRE_LIFE = Duration.ofHours(24);

	/** Longer than a year, so that yearly entries know their last fire. */
	private static final Duration LAST_LIFE = Duration.ofDays(400);

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final PublishedQueues published;

	Fires(ScriptRunner scripts, ScriptTime time, PublishedQueues published) {
		this.scripts = scripts;
		this.time = time;
		this.published = published;
	}

	boolean enqueue(EnqueueRequest request, Fire fire) {
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

	void pass(String queue, Fire fire) {
		this.scripts.runLong(LuaScript.PASS_FIRE, subject(queue, fire.entry()),
				List.of(Keys.of(queue).lastFire(fire.entry())), Text.seconds(fire.at()), LAST_LIFE.toSeconds());
	}

	Instant lastFire(String queue, String entry, Instant first) {
		String key = Keys.of(queue).lastFire(entry);
		byte[] known = this.scripts.run("SET", subject(queue, entry), (template) -> {
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

	void forget(String queue, String entry) {
		this.scripts.run("DEL", subject(queue, entry), (template) -> template.delete(Keys.of(queue).lastFire(entry)));
	}

	private static String subject(String queue, String entry) {
		return "last fire of periodic task '" + entry + "' in queue '" + queue + "'";
	}

}
