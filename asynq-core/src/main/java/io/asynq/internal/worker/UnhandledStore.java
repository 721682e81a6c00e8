package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Text;

/**
 * Tasks in retry because no server that took them has a handler for their type; keeps
 * their due times ahead of the present.
 */
public class UnhandledStore {

	public static final int MOST_TYPES = 100;

	/** As long as a task without a handler waits at most. */
	public static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

	/** As many as a script puts off in a few milliseconds. */
	private static final int PUT_OFF = 2000;

	/** Fewer, because their messages are read. */
	private static final int RELEASED = 500;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	public UnhandledStore(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
	}

	/** Types that were put off least come first. */
	public List<Waiting> waiting(String queue) {
		List<Object> answer = this.scripts.runList(LuaScript.LIST_UNHANDLED, Text.queue(queue),
				List.of(Keys.of(queue).unhandled()), MOST_TYPES);
		List<Waiting> types = new ArrayList<>();
		for (int i = 0; i < answer.size(); i += 3) {
			types.add(new Waiting(Text.of(answer.get(i)), (Long) answer.get(i + 1), (Long) answer.get(i + 2)));
		}
		return types;
	}

	/** Tasks older than {@code maxAge} become due, for a server to archive. */
	public void putOff(String queue, Waiting type, Duration maxAge) {
		long from = 0;
		long found;
		do {
			found = run(LuaScript.PUT_OFF_UNHANDLED, queue, type.type(), type.until(), LONGEST_WAIT.toSeconds(),
					maxAge.toSeconds(), from, PUT_OFF);
			from += found;
		}
		while (found == PUT_OFF);
	}

	/** Tasks that were tried meanwhile keep the time of their retry. */
	public void release(String queue, Waiting type) {
		long found;
		do {
			found = run(LuaScript.RELEASE_UNHANDLED, queue, type.type(), RELEASED);
		}
		while (found == RELEASED);
	}

	private long run(LuaScript script, String queue, String type, Object... more) {
		Keys keys = Keys.of(queue);
		List<Object> args = new ArrayList<>(List.of(this.time.argument(), keys.taskPrefix(), type));
		args.addAll(List.of(more));
		return this.scripts.runLong(script, Text.queue(queue),
				List.of(keys.retry(), keys.unhandled(), keys.unhandled(type)), args.toArray());
	}

	/** {@code until} is in seconds since the epoch, 0 if never put off. */
	public record Waiting(String type, long tasks, long until) {
	}

}
