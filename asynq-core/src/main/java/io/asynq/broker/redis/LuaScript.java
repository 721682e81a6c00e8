package io.asynq.broker.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.springframework.data.redis.core.script.RedisScript;

/**
 * Every script, one file each below {@code asynq/lua}, before it the parts it shares with
 * others; the file's head says what KEYS and ARGV are and what comes back. The text is
 * read once: asking the resource each time would look up a file's timestamp on every
 * call.
 */
enum LuaScript {

	/** Stores one pending task. */
	ENQUEUE("enqueue/enqueue", Long.class, "kinds"),

	/** Stores one pending task that holds a unique lock. */
	ENQUEUE_UNIQUE("enqueue/enqueue_unique", Long.class, "kinds"),

	/** Stores one task for later. */
	SCHEDULE("enqueue/schedule", Long.class, "kinds"),

	/** Stores one task for later that holds a unique lock. */
	SCHEDULE_UNIQUE("enqueue/schedule_unique", Long.class, "kinds"),

	/** Stores one task in its group. */
	ADD_TO_GROUP("enqueue/add_to_group", Long.class, "kinds"),

	/** Stores many tasks of one queue. */
	ENQUEUE_BATCH("enqueue/enqueue_batch", List.class, "kinds"),

	/** Takes pending tasks. */
	DEQUEUE("dequeue/dequeue", List.class, "kinds"),

	/** Deletes active tasks that are done. */
	DONE("complete/done", List.class, "kinds", "counters", "locks"),

	/** Keeps active tasks that have succeeded. */
	COMPLETE("complete/complete", List.class, "kinds", "counters", "locks"),

	/** Moves active tasks to retry. */
	RETRY("complete/retry", List.class, "kinds", "counters"),

	/** Moves active tasks to the archive. */
	ARCHIVE("complete/archive", List.class, "kinds", "counters", "locks"),

	/** Moves active tasks to the archive whose message nobody can read. */
	ARCHIVE_UNDECODABLE("complete/archive_undecodable", List.class, "kinds", "counters"),

	/** Puts active tasks back to the front of their queue. */
	REQUEUE("complete/requeue", List.class, "kinds"),

	/** Moves due tasks to pending or to their group. */
	FORWARD("forward/forward", List.class, "kinds"),

	/** Gives leases their full time again. */
	EXTEND_LEASES("lease/extend", List.class),

	/** Lists active tasks whose lease has ended. */
	EXPIRED_LEASES("lease/expired", List.class, "kinds"),

	/** Lists active ids that have no lease. */
	ACTIVE_WITHOUT_LEASE("lease/without", List.class),

	/** Gives active ids without a lease one. */
	ATTACH_LEASES("lease/attach", Long.class),

	/** Deletes completed tasks whose retention is over. */
	DELETE_EXPIRED("clean/delete_expired", List.class),

	/** Writes or renews a server's entry. */
	WRITE_SERVER("server/write", Long.class),

	/** Reads a queue's numbers. */
	READ_STATS("read/stats", List.class, "kinds"),

	/** Sums the tasks of some of a queue's groups. */
	READ_GROUP_SIZES("read/group_sizes", List.class),

	/** Reads a task. */
	READ_TASK("read/task", List.class, "kinds"),

	/** Replaces a task's result. */
	WRITE_RESULT("result/write", Long.class);

	private final RedisScript<?> script;

	LuaScript(String file, Class<?> result, String... parts) {
		StringBuilder text = new StringBuilder();
		for (String part : parts) {
			text.append(read("/asynq/lua/lib/" + part + ".lua"));
		}
		this.script = RedisScript.of(text.append(read("/asynq/lua/" + file + ".lua")).toString(), result);
	}

	/**
	 * Returns the script for an integer reply.
	 * @return the script
	 */
	@SuppressWarnings("unchecked")
	RedisScript<Long> returningLong() {
		return (RedisScript<Long>) typed(Long.class);
	}

	/**
	 * Returns the script for an array reply of integers and bytes.
	 * @return the script
	 */
	@SuppressWarnings({ "unchecked", "rawtypes" })
	RedisScript<List<Object>> returningList() {
		return (RedisScript) typed(List.class);
	}

	private RedisScript<?> typed(Class<?> type) {
		if (this.script.getResultType() != type) {
			throw new IllegalStateException(this + " returns " + this.script.getResultType());
		}
		return this.script;
	}

	private static String read(String path) {
		try (InputStream in = LuaScript.class.getResourceAsStream(path)) {
			if (in == null) {
				throw new IllegalStateException("Script " + path + " is missing from the class path");
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Script " + path + " cannot be read", ex);
		}
	}

}
