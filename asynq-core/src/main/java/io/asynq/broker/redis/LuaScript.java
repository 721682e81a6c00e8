package io.asynq.broker.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Every script, one file each below {@code asynq/lua}, before it the parts it shares with
 * others; the file's head says what KEYS and ARGV are and what comes back. The text is
 * read and its digest worked out once.
 */
enum LuaScript {

	/** Stores one pending task. */
	ENQUEUE("enqueue/enqueue", ReturnType.INTEGER),

	/** Stores one pending task that holds a unique lock. */
	ENQUEUE_UNIQUE("enqueue/enqueue_unique", ReturnType.INTEGER, "kinds"),

	/** Stores one task for later. */
	SCHEDULE("enqueue/schedule", ReturnType.INTEGER, "kinds"),

	/** Stores one task for later that holds a unique lock. */
	SCHEDULE_UNIQUE("enqueue/schedule_unique", ReturnType.INTEGER, "kinds"),

	/** Stores one task in its group. */
	ADD_TO_GROUP("enqueue/add_to_group", ReturnType.INTEGER, "kinds", "time"),

	/** Stores many tasks of one queue. */
	ENQUEUE_BATCH("enqueue/enqueue_batch", ReturnType.MULTI, "kinds", "time"),

	/** Stores many pending tasks of one queue that hold no lock. */
	ENQUEUE_PENDING_BATCH("enqueue/enqueue_pending_batch", ReturnType.MULTI, "kinds"),

	/** Takes pending tasks. */
	DEQUEUE("dequeue/dequeue", ReturnType.MULTI, "answers", "seconds", "leases"),

	/** Gives back what a dequeue has taken whose answer was lost. */
	GIVE_BACK_DEQUEUED("dequeue/give_back", ReturnType.MULTI, "kinds", "answers", "fences", "hands", "time", "looks",
			"actives", "marks"),

	/** Writes down that handlers are about to begin. */
	BEGIN_ATTEMPTS("attempt/begin", ReturnType.MULTI, "answers", "fences", "hands"),

	/** Writes down what is to be known after attempts that do not end by themselves. */
	NOTE_ATTEMPTS("attempt/note", ReturnType.MULTI, "answers", "fences", "hands"),

	/** Deletes active tasks that are done. */
	DONE("complete/done", ReturnType.MULTI, "answers", "days", "counters", "locks", "fences", "looks", "actives",
			"outcomes", "seconds"),

	/** Keeps active tasks that have succeeded. */
	COMPLETE("complete/complete", ReturnType.MULTI, "answers", "days", "counters", "locks", "fences", "looks",
			"actives", "outcomes", "marks", "seconds"),

	/** Moves active tasks to retry. */
	RETRY("complete/retry", ReturnType.MULTI, "answers", "days", "counters", "fences", "looks", "actives", "outcomes",
			"marks", "seconds"),

	/** Moves active tasks to the archive. */
	ARCHIVE("complete/archive", ReturnType.MULTI, "kinds", "answers", "days", "counters", "locks", "fences", "looks",
			"actives", "outcomes", "messages", "archives", "marks", "seconds"),

	/** Moves active tasks to the archive whose message nobody can read. */
	ARCHIVE_UNDECODABLE("complete/archive_undecodable", ReturnType.MULTI, "kinds", "answers", "days", "counters",
			"locks", "messages", "archives", "looks", "actives", "marks", "mirrors", "time"),

	/** Moves active tasks that were not worked on to retry. */
	POSTPONE("complete/postpone", ReturnType.MULTI, "answers", "fences", "looks", "actives", "outcomes", "marks",
			"seconds"),

	/** Puts active tasks back to the front of their queue. */
	REQUEUE("complete/requeue", ReturnType.MULTI, "answers", "fences", "looks", "actives", "outcomes", "marks", "time"),

	/** Moves due tasks to pending or to their group. */
	FORWARD("forward/forward", ReturnType.MULTI, "kinds", "answers", "looks", "standing", "time"),

	/** Gives leases their full time again. */
	EXTEND_LEASES("lease/extend", ReturnType.MULTI, "kinds", "answers", "fences", "seconds", "leases"),

	/** Lists active tasks whose lease has ended. */
	EXPIRED_LEASES("lease/expired", ReturnType.MULTI, "kinds", "answers", "looks", "actives", "standing", "time",
			"mirrors"),

	/** Takes tasks out of the hands of whoever let their lease end. */
	CLAIM_LEASES("lease/claim", ReturnType.MULTI, "kinds", "mirrors"),

	/** Lists active ids that have no lease. */
	ACTIVE_WITHOUT_LEASE("lease/without", ReturnType.MULTI),

	/** Gives active ids without a lease one. */
	ATTACH_LEASES("lease/attach", ReturnType.INTEGER, "kinds", "looks", "standing", "seconds", "leases", "mirrors"),

	/** Deletes completed tasks whose retention is over. */
	DELETE_EXPIRED("clean/delete_expired", ReturnType.MULTI, "time"),

	/** Writes or renews a server's entry. */
	WRITE_SERVER("server/write", ReturnType.INTEGER),

	/** Adds to the list of a server's tasks. */
	WRITE_WORKERS("server/workers", ReturnType.INTEGER),

	/** Stores the task of one fire of a periodic task. */
	FIRE("scheduler/fire", ReturnType.INTEGER, "kinds", "time"),

	/** Notes a fire of a periodic task that has no task. */
	PASS_FIRE("scheduler/pass", ReturnType.INTEGER, "kinds"),

	/** Writes or renews the list of a scheduler's entries. */
	WRITE_SCHEDULER("scheduler/write", ReturnType.INTEGER),

	/** Notes that an entry's fire was enqueued. */
	RECORD_ENQUEUED("scheduler/record", ReturnType.INTEGER, "kinds"),

	/** Lists groups that may have been filled without being listed. */
	RELIST_GROUPS("group/relist", ReturnType.MULTI, "kinds", "groups", "time"),

	/** Notes groups that somebody may give a staged set back to without listing them. */
	NOTE_STAGED("group/note", ReturnType.MULTI, "kinds", "groups"),

	/** Gives staged sets back that nobody ended in time. */
	GIVE_BACK_EXPIRED("group/give_back_expired", ReturnType.MULTI, "kinds", "merging", "groups", "time"),

	/** Looks for groups that are due. */
	DUE_GROUPS("group/due", ReturnType.MULTI, "kinds", "time"),

	/** Notes that an aggregator is about to begin. */
	BEGIN_AGGREGATOR("group/begin", ReturnType.MULTI, "kinds", "time", "groups", "aggregators"),

	/** Notes that an aggregator has ended. */
	END_AGGREGATOR("group/end", ReturnType.INTEGER, "kinds", "time", "groups", "aggregators"),

	/** Counts aggregators that went down with their servers. */
	COUNT_CRASHED_AGGREGATORS("group/crashed", ReturnType.INTEGER, "kinds", "time", "groups", "aggregators"),

	/** Takes tasks out of a group to have them aggregated. */
	STAGE_GROUP("group/stage", ReturnType.MULTI, "kinds", "time"),

	/** Reads tasks of a staged set. */
	READ_STAGED("group/read", ReturnType.MULTI, "kinds"),

	/** Stores what a staged set was turned into, in place of its tasks. */
	FINISH_STAGED("group/finish", ReturnType.INTEGER, "kinds", "locks", "members", "time"),

	/** Deletes more tasks of a staged set that has been turned into one. */
	DELETE_STAGED("group/delete", ReturnType.INTEGER, "kinds", "locks", "members"),

	/** Gives a staged set back to its group. */
	GIVE_BACK_STAGED("group/give_back", ReturnType.INTEGER, "kinds", "merging"),

	/** Takes tasks that cannot be aggregated out of a staged set. */
	ARCHIVE_STAGED("group/archive", ReturnType.MULTI, "kinds", "days", "counters", "locks", "messages", "archives",
			"time"),

	/** Looks at a slice of a container. */
	CHECK_CONTAINER("check/container", ReturnType.MULTI, "kinds"),

	/** Looks at some of a queue's keys. */
	CHECK_KEYS("check/keys", ReturnType.MULTI, "kinds", "places"),

	/** Looks for groups without tasks. */
	CHECK_GROUPS("check/groups", ReturnType.MULTI, "kinds"),

	/** Tells where ids stand. */
	CHECK_PLACES("check/places", ReturnType.MULTI, "kinds", "places"),

	/** Mends where an id stands. */
	REPAIR_TASK("repair/task", ReturnType.INTEGER, "kinds", "places", "time", "mirrors", "mending"),

	/** Mends an entry of an id, or its lease. */
	REPAIR_ENTRY("repair/entry", ReturnType.INTEGER, "kinds", "places", "time", "mirrors"),

	/** Mends what is wrong with a group. */
	REPAIR_GROUP("repair/group", ReturnType.INTEGER, "kinds", "places", "merging"),

	/** Releases a lock whose task is gone. */
	REPAIR_LOCK("repair/lock", ReturnType.INTEGER),

	/** Reads a queue's numbers. */
	READ_STATS("read/stats", ReturnType.MULTI, "kinds", "time", "days"),

	/** Sums the tasks of some of a queue's groups. */
	READ_GROUP_SIZES("read/group_sizes", ReturnType.MULTI),

	/** Reads whether queues have something to give. */
	WATCH_PENDING("read/watch_pending", ReturnType.MULTI),

	/** Reads a task. */
	READ_TASK("read/task", ReturnType.MULTI, "kinds"),

	/** Reads a slice of a container's tasks. */
	LIST_TASKS("inspect/list", ReturnType.MULTI, "kinds", "time"),

	/** Makes tasks pending by hand. */
	RUN_TASKS("inspect/run", ReturnType.MULTI, "kinds", "moves", "marks", "time"),

	/** Moves tasks to the archive by hand. */
	ARCHIVE_TASKS("inspect/archive", ReturnType.MULTI, "kinds", "locks", "messages", "archives", "moves", "time"),

	/** Deletes tasks by hand. */
	DELETE_TASKS("inspect/delete", ReturnType.MULTI, "kinds", "locks", "messages", "moves"),

	/** Makes a slice of a container's tasks pending. */
	RUN_ALL("inspect/run_all", ReturnType.MULTI, "kinds", "places", "slices", "marks", "time"),

	/** Moves a slice of a container's tasks to the archive. */
	ARCHIVE_ALL("inspect/archive_all", ReturnType.MULTI, "kinds", "locks", "messages", "archives", "places", "slices",
			"time"),

	/** Deletes a slice of a container's tasks. */
	DELETE_ALL("inspect/delete_all", ReturnType.MULTI, "kinds", "locks", "messages", "places", "slices"),

	/** Replaces the message of a scheduled task. */
	UPDATE_PAYLOAD("inspect/update_payload", ReturnType.MULTI, "kinds"),

	/** Reads counters of days. */
	READ_HISTORY("inspect/history", ReturnType.MULTI),

	/** Reads some of a queue's groups. */
	READ_GROUPS("inspect/groups", ReturnType.MULTI, "kinds"),

	/** Guesses how much memory a queue takes. */
	READ_MEMORY("inspect/memory", ReturnType.INTEGER, "kinds"),

	/** Reads a server and what it works on. */
	READ_SERVER("inspect/server", ReturnType.MULTI, "kinds"),

	/** Pauses a queue. */
	PAUSE_QUEUE("inspect/pause", ReturnType.INTEGER),

	/** Begins to delete a queue. */
	DELETE_QUEUE("inspect/delete_queue", ReturnType.MULTI, "kinds"),

	/** Deletes a small group of a queue that is deleted, or puts it out of reach. */
	DELETE_GROUP("inspect/delete_group", ReturnType.INTEGER, "kinds", "locks", "messages", "slices"),

	/** Deletes some tasks of a container that was put out of reach. */
	DRAIN("inspect/drain", ReturnType.INTEGER, "kinds", "locks", "messages", "slices"),

	/** Deletes what is left of a queue. */
	SWEEP("inspect/sweep", ReturnType.MULTI, "kinds", "locks", "messages", "places"),

	/** Ends to delete a queue. */
	FINISH_DELETE("inspect/finish_delete", ReturnType.MULTI, "kinds"),

	/** Replaces a task's result. */
	WRITE_RESULT("result/write", ReturnType.INTEGER, "kinds", "answers", "fences", "hands"),

	/** Takes a token of a semaphore. */
	ACQUIRE_TOKEN("semaphore/acquire", ReturnType.INTEGER, "kinds", "time"),

	/** Gives a token of a semaphore back. */
	RELEASE_TOKEN("semaphore/release", ReturnType.INTEGER, "kinds"),

	/** Looks whether Redis is new enough, and responsible for a key. */
	CHECK_USABLE("check/usable", ReturnType.INTEGER),

	/** Finds out which commands the present user may not run. */
	CHECK_RIGHTS("check/rights", ReturnType.MULTI);

	private final String directory;

	private final byte[] text;

	private final byte[] sha1;

	private final ReturnType returns;

	private final boolean reads;

	LuaScript(String file, ReturnType returns, String... parts) {
		StringBuilder all = new StringBuilder();
		for (String part : parts) {
			all.append(read("/asynq/lua/lib/" + part + ".lua"));
		}
		RedisScript<?> script = RedisScript.of(all.append(read("/asynq/lua/" + file + ".lua")).toString());
		this.directory = file.substring(0, file.indexOf('/'));
		this.text = Text.utf8(script.getScriptAsString());
		this.sha1 = Text.utf8(script.getSha1());
		this.returns = returns;
		this.reads = Words.READ.containsAll(commands());
	}

	/**
	 * Returns the whole script.
	 * @return its text
	 */
	byte[] text() {
		return this.text;
	}

	/**
	 * Returns the name under which Redis keeps the script.
	 * @return its digest in hexadecimal digits
	 */
	byte[] sha1() {
		return this.sha1;
	}

	/**
	 * Returns what it answers with.
	 * @return an integer, or an array of integers and bytes
	 */
	ReturnType returns() {
		return this.returns;
	}

	/**
	 * Returns whether a repetition changes nothing and answers the same: of what only
	 * reads, of what replaces what it has written, of what leaves a mark and looks for
	 * it, and of what does the work that is left. What the lost answer of the last kind
	 * said of broken tasks, which it had removed, is not told. An id of a task is no
	 * mark: the task may be over by then.
	 * @return whether it may be asked again when its answer is lost
	 */
	boolean isRepeatable() {
		return switch (this) {
			case FIRE, PASS_FIRE, EXTEND_LEASES, ACQUIRE_TOKEN -> true;
			default -> mayComeLate();
		};
	}

	/**
	 * Returns whether it does no harm when Redis carries it out long after its caller has
	 * given up, as a Redis does that hung with it in its buffer. A lease or a token must
	 * not come late: nobody is there any more who would use it.
	 * @return whether it may be sent though nobody knows if Redis answers
	 */
	boolean mayComeLate() {
		return switch (this) {
			case WRITE_SERVER, WRITE_SCHEDULER, FORWARD, EXPIRED_LEASES, DELETE_EXPIRED -> true;
			default -> this.reads;
		};
	}

	/**
	 * Returns what it belongs to.
	 * @return the directory of its file
	 */
	String directory() {
		return this.directory;
	}

	/**
	 * Returns the commands that it may run.
	 * @return their names in capitals
	 */
	SortedSet<String> commands() {
		return Words.COMMAND.matcher(new String(this.text, StandardCharsets.UTF_8))
			.results()
			.map((result) -> result.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
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

	/**
	 * What is written in scripts; here because constants are made before all else.
	 */
	private static final class Words {

		/** Nothing else is a quoted word in capitals, but a few arguments. */
		static final Pattern COMMAND = Pattern.compile("'([A-Z]{3,})'");

		/** Commands that change nothing, and arguments. */
		static final Set<String> READ = Set.of("EXISTS", "GET", "HGET", "HMGET", "HSTRLEN", "HVALS", "LINDEX", "LLEN",
				"LPOS", "LRANGE", "MEMORY", "SCAN", "SCARD", "SISMEMBER", "SMEMBERS", "SSCAN", "TIME", "TYPE", "ZCARD",
				"ZCOUNT", "ZRANGE", "ZRANGEBYSCORE", "ZMSCORE", "ZSCAN", "ZSCORE", "BYSCORE", "COUNT", "LIMIT", "MATCH",
				"USAGE", "WITHSCORES");

	}

}
