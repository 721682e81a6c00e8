package io.asynq.internal.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.script.RedisScript;

/** One file each below {@code io/asynq/lua}, whose head tells KEYS, ARGV and answer. */
public enum LuaScript {

	ENQUEUE("enqueue/enqueue", ReturnType.INTEGER),
	ENQUEUE_WAITING("enqueue/enqueue_waiting", ReturnType.INTEGER, "kinds", "time", "arrivals"),
	ENQUEUE_PENDING_BATCH("enqueue/enqueue_pending_batch", ReturnType.MULTI, "kinds"),
	STORE("enqueue/store", ReturnType.MULTI, "replacing", "time"), ENQUEUE_PENDING_BATCH_SEVERAL(ENQUEUE_PENDING_BATCH),
	STORE_SEVERAL(STORE), DEQUEUE("worker/dequeue", ReturnType.MULTI, "allowance", "must", "leases"),
	DEQUEUE_SEVERAL(DEQUEUE),
	GIVE_BACK_DEQUEUED("worker/give_back", ReturnType.MULTI, "must", "hands", "time", "active", "marks"),
	BEGIN_ATTEMPTS("worker/begin", ReturnType.MULTI, "hands"), NOTE_ATTEMPTS("worker/note", ReturnType.MULTI, "hands"),
	DONE("worker/done", ReturnType.MULTI, "outcomes", "counters", "locks", "seconds"),
	COMPLETE("worker/complete", ReturnType.MULTI, "outcomes", "counters", "locks", "marks", "seconds"),
	RETRY("worker/retry", ReturnType.MULTI, "outcomes", "cancels", "counters", "marks", "seconds"),
	ARCHIVE("worker/archive", ReturnType.MULTI, "outcomes", "cancels", "counters", "archives", "marks", "seconds"),
	ARCHIVE_UNDECODABLE("worker/archive_undecodable", ReturnType.MULTI, "kinds", "outcomes", "counters", "archives",
			"marks", "mirrors", "seconds"),
	POSTPONE("worker/postpone", ReturnType.MULTI, "outcomes", "cancels", "marks", "seconds"),
	REQUEUE("worker/requeue", ReturnType.MULTI, "outcomes", "cancels", "marks", "time"),
	WAIT("worker/wait", ReturnType.MULTI, "outcomes", "cancels", "marks", "seconds"), WAIT_SEVERAL(WAIT),
	UNHANDLED("worker/unhandled", ReturnType.MULTI, "outcomes", "cancels", "marks", "seconds"), DONE_SEVERAL(DONE),
	COMPLETE_SEVERAL(COMPLETE), RETRY_SEVERAL(RETRY), ARCHIVE_SEVERAL(ARCHIVE), POSTPONE_SEVERAL(POSTPONE),
	REQUEUE_SEVERAL(REQUEUE), UNHANDLED_SEVERAL(UNHANDLED),
	LIST_UNHANDLED("worker/list_unhandled", ReturnType.MULTI, "must"),
	PUT_OFF_UNHANDLED("worker/put_off_unhandled", ReturnType.INTEGER, "must", "time"),
	RELEASE_UNHANDLED("worker/release_unhandled", ReturnType.INTEGER, "must", "time"),
	FORWARD("worker/forward", ReturnType.MULTI, "kinds", "place", "answers", "must", "standing", "time", "arrivals"),
	SETTLE_CANCELLED("worker/settle", ReturnType.MULTI, "wishes"),
	EXTEND_LEASES("worker/extend_leases", ReturnType.MULTI, "must", "fences", "leases"),
	EXPIRED_LEASES("worker/expired_leases", ReturnType.MULTI, "kinds", "must", "active", "standing", "mirrors", "time"),
	CLAIM_LEASES("worker/claim_leases", ReturnType.MULTI, "kinds", "mirrors"),
	ACTIVE_WITHOUT_LEASE("worker/without_lease", ReturnType.MULTI, "must"),
	ATTACH_LEASES("worker/attach_leases", ReturnType.INTEGER, "must", "standing", "leases", "mirrors"),
	DELETE_EXPIRED("worker/delete_expired", ReturnType.MULTI, "kinds", "must", "time"),
	READ_SERVERS("fleet/read", ReturnType.MULTI, "answers", "time"),
	READ_SERVER_TASKS("fleet/tasks", ReturnType.MULTI, "answers"), WRITE_SERVER("fleet/write", ReturnType.MULTI),
	WRITE_WORKERS("fleet/workers", ReturnType.INTEGER), LIST("fleet/list", ReturnType.INTEGER, "must"),
	NOTE("fleet/note", ReturnType.INTEGER), FIRE("schedule/fire", ReturnType.INTEGER, "kinds", "replacing", "time"),
	BEGIN_OUTBOX("enqueue/begin_outbox", ReturnType.MULTI, "must", "time"),
	SEND_OUTBOX("enqueue/send_outbox", ReturnType.MULTI, "must", "replacing", "time"),
	PASS_FIRE("schedule/pass", ReturnType.INTEGER, "must"), WRITE_SCHEDULER("schedule/write", ReturnType.INTEGER),
	RECORD_ENQUEUED("schedule/record", ReturnType.INTEGER, "must"),
	RELIST_GROUPS("group/relist", ReturnType.MULTI, "groups", "must", "time"),
	NOTE_STAGED("group/note", ReturnType.MULTI, "groups", "must"),
	GIVE_BACK_EXPIRED("group/give_back_expired", ReturnType.MULTI, "groups", "must", "merging", "time"),
	DUE_GROUPS("group/due", ReturnType.MULTI, "kinds", "must", "time", "due"),
	BEGIN_AGGREGATOR("group/begin", ReturnType.MULTI, "must", "groups", "aggregators", "time"),
	END_AGGREGATOR("group/end", ReturnType.INTEGER, "must", "groups", "aggregators", "time"),
	COUNT_CRASHED_AGGREGATORS("group/crashed", ReturnType.INTEGER, "must", "groups", "aggregators", "time"),
	STAGE_GROUP("group/stage", ReturnType.MULTI, "must", "time", "due"),
	READ_ARRIVALS("group/arrivals", ReturnType.MULTI, "must"), READ_STAGED("group/read", ReturnType.MULTI, "kinds"),
	FINISH_STAGED("group/finish", ReturnType.INTEGER, "must", "replacing", "members", "time"),
	DELETE_STAGED("group/delete", ReturnType.INTEGER, "kinds", "members"),
	GIVE_BACK_STAGED("group/give_back", ReturnType.INTEGER, "must", "merging"),
	ARCHIVE_STAGED("group/archive", ReturnType.MULTI, "kinds", "must", "counters", "archives", "time"),
	CHECK_CONTAINER("inspect/check_container", ReturnType.MULTI, "kinds"),
	CHECK_KEYS("inspect/check_keys", ReturnType.MULTI, "where"),
	CHECK_IDS("inspect/check_ids", ReturnType.MULTI, "where"),
	CHECK_LIST("inspect/check_list", ReturnType.MULTI, "kinds"),
	REPAIR_TASK("inspect/repair_task", ReturnType.INTEGER, "where", "mirrors", "time"),
	REPAIR_GROUP("inspect/repair_group", ReturnType.INTEGER, "where", "merging"),
	REPAIR_LOCK("inspect/repair_lock", ReturnType.INTEGER),
	READ_STATS("inspect/stats", ReturnType.MULTI, "sizes", "time", "days"),
	READ_GROUPS("inspect/groups", ReturnType.MULTI, "kinds"), WATCH_PENDING("arrival/watch_pending", ReturnType.MULTI),
	READ_TASK("inspect/task", ReturnType.MULTI, "must", "where"),
	READ_WORK("lane/work", ReturnType.MULTI, "answers", "time"),
	READ_AHEAD("inspect/ahead", ReturnType.MULTI, "answers", "time"),
	READ_BESIDE("inspect/beside", ReturnType.MULTI, "answers", "time"),
	READ_TEXTS("inspect/texts", ReturnType.MULTI, "answers"),
	READ_ORPHANED("inspect/orphaned", ReturnType.MULTI, "answers", "time"),
	READ_OLDEST_WAITING("limit/oldest", ReturnType.MULTI, "must"),
	ANNOUNCE_LIMITS("limit/announce", ReturnType.INTEGER, "must"), TAKE_TOKENS("limit/take", ReturnType.MULTI, "turns"),
	EXTEND_TOKENS("limit/extend", ReturnType.MULTI, "limits"),
	RELEASE_TOKENS("limit/release", ReturnType.MULTI, "turns"), LINE_UP("limit/line_up", ReturnType.MULTI, "turns"),
	GIVE_BACK_TURNS("limit/give_back", ReturnType.MULTI, "turns"),
	LOOK_FOR_TURNS("limit/look", ReturnType.MULTI, "turns"), SWEEP_WAITING("limit/sweep", ReturnType.MULTI, "turns"),
	WAKE_WAITING("limit/wake", ReturnType.MULTI, "must", "time"),
	READ_UNNOTED("limit/unnoted", ReturnType.MULTI, "must", "time"),
	COUNT_WAITING("limit/waiting", ReturnType.MULTI, "must"), READ_LIMITS("limit/read", ReturnType.MULTI, "must"),
	READ_LIMIT_KEYS("limit/read_keys", ReturnType.MULTI), READ_WAIT("limit/wait_of", ReturnType.MULTI),
	LIST_TASKS("inspect/list", ReturnType.MULTI, "kinds", "must", "time"),
	MOVE_TASKS("inspect/move", ReturnType.MULTI, "acts", "leaving", "sizes", "looks"),
	CANCEL_TASK("inspect/cancel", ReturnType.MULTI, "wishes", "hands"),
	MOVE_ALL("inspect/move_all", ReturnType.MULTI, "acts", "must", "slices", "anywhere"),
	UPDATE_PAYLOAD("inspect/update_payload", ReturnType.MULTI, "kinds"),
	READ_MEMORY("inspect/memory", ReturnType.MULTI, "sizes"), PAUSE_QUEUE("inspect/pause", ReturnType.INTEGER),
	DELETE_QUEUE("inspect/delete_queue", ReturnType.MULTI, "sizes"),
	DELETE_GROUP("inspect/delete_group", ReturnType.INTEGER, "slices"),
	DRAIN("inspect/drain", ReturnType.INTEGER, "slices"),
	SWEEP("inspect/sweep", ReturnType.MULTI, "messages", "anywhere"),
	FINISH_DELETE("inspect/finish_delete", ReturnType.MULTI, "kinds"),
	WRITE_RESULT("worker/write_result", ReturnType.INTEGER, "kinds", "hands"),
	ACQUIRE_TOKEN("limit/acquire_semaphore", ReturnType.INTEGER, "must", "time"),
	RELEASE_TOKEN("limit/release_semaphore", ReturnType.INTEGER, "must"),
	SIGNAL_CANCEL("cancel/cancel", ReturnType.INTEGER), CHECK_USABLE("check/usable", ReturnType.INTEGER),
	CHECK_RIGHTS("check/rights", ReturnType.MULTI);

	private final String file;

	private final Map<String, String> texts;

	private final byte[] text;

	private final byte[] sha1;

	private final ReturnType returns;

	private final boolean reads;

	LuaScript(String file, ReturnType returns, String... parts) {
		this(file, texts(file, parts), "", returns);
	}

	LuaScript(LuaScript one) {
		this(one.file, one.texts, read("lib/several"), ReturnType.MULTI);
	}

	LuaScript(String file, Map<String, String> texts, String several, ReturnType returns) {
		String body = several.isEmpty() ? String.join("", texts.values()) : function(texts) + several;
		this.file = file;
		this.texts = texts;
		this.reads = Words.READ.containsAll(commands(body));
		RedisScript<?> script = RedisScript
			.of((needsNoMemory() && !Words.BEGINS_SO.matcher(this.file).matches()) ? Keys.FREES_FIRST + body : body);
		this.text = Text.utf8(script.getScriptAsString());
		this.sha1 = Text.utf8(script.getSha1());
		this.returns = returns;
	}

	byte[] text() {
		return this.text;
	}

	public byte[] sha1() {
		return this.sha1;
	}

	ReturnType returns() {
		return this.returns;
	}

	/**
	 * Whether it is idempotent; the id of a task is no mark for that, because the task
	 * may be over by then.
	 */
	boolean isRepeatable() {
		return switch (this) {
			case FIRE, PASS_FIRE, BEGIN_OUTBOX, SEND_OUTBOX, EXTEND_LEASES, ACQUIRE_TOKEN, ANNOUNCE_LIMITS, TAKE_TOKENS,
					EXTEND_TOKENS, RELEASE_TOKENS, LINE_UP ->
				true;
			default -> mayComeLate();
		};
	}

	/** A lease or a token must not be granted when its caller has given up. */
	boolean mayComeLate() {
		return switch (this) {
			case LIST, NOTE, WRITE_SERVER, WRITE_SCHEDULER, FORWARD, EXPIRED_LEASES, DELETE_EXPIRED -> true;
			default -> this.reads;
		};
	}

	/**
	 * Only servers can empty a Redis out of memory, so all that they need runs, for 10 ms
	 * at most: Redis cannot kill a script that has written.
	 */
	boolean needsNoMemory() {
		return !this.reads && !Words.ADDS_WORK.matcher(this.file).matches();
	}

	public boolean isReadOnly() {
		return this.reads;
	}

	public String directory() {
		return this.file.substring(0, this.file.indexOf('/'));
	}

	SortedSet<String> commands() {
		return commands(new String(this.text, StandardCharsets.UTF_8));
	}

	private static SortedSet<String> commands(String text) {
		return Words.COMMAND.matcher(text)
			.results()
			.map((result) -> result.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static Map<String, String> texts(String file, String... parts) {
		Map<String, String> texts = new LinkedHashMap<>();
		List.of(parts).forEach((part) -> addPart(part, texts));
		texts.put(file, read(file));
		return texts;
	}

	/** What all queues of a call share is made once, outside of the function. */
	private static String function(Map<String, String> texts) {
		StringBuilder shared = new StringBuilder();
		StringBuilder own = new StringBuilder();
		texts.forEach((name, text) -> (Words.SHARED.contains(name) ? shared : own).append(text));
		return shared + "local function one(KEYS, ARGV)\n" + own + "end\n";
	}

	private static void addPart(String name, Map<String, String> texts) {
		if (!texts.containsKey(name)) {
			String text = read("lib/" + name);
			Matcher needs = Words.NEEDS.matcher(text.replace("\n-- ", " "));
			if (needs.find()) {
				List.of(needs.group(1).split(", | and ")).forEach((needed) -> addPart(needed, texts));
			}
			texts.put(name, text);
		}
	}

	private static String read(String file) {
		String path = "/io/asynq/lua/" + file + ".lua";
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

	/** Nested because enum constants are created first. */
	private static final class Words {

		/** Only commands and a few arguments are quoted words in capitals. */
		static final Pattern COMMAND = Pattern.compile("'([A-Z]{3,})'");

		/** A call has them once for all its queues, of which they know nothing. */
		static final Set<String> SHARED = Set.of("allowance", "answers", "archives", "arrivals", "cancels", "counters",
				"days", "fences", "kinds", "leases", "locks", "looks", "marks", "messages", "must", "place", "seconds",
				"time");

		static final Pattern ADDS_WORK = Pattern
			.compile("enqueue/(?!begin_outbox).*|schedule/fire|inspect/update_payload|worker/write_result");

		/**
		 * Passed so often that the command of {@link Keys#FREES_FIRST} would be felt;
		 * these begin with another that Redis executes when it is out of memory.
		 */
		static final Pattern BEGINS_SO = Pattern
			.compile("worker/(dequeue|archive.*|complete|done|postpone|requeue|retry|unhandled|wait|forward"
					+ "|list_unhandled|put_off_unhandled)|limit/(release|take|unnoted|wake)");

		static final Pattern NEEDS = Pattern.compile("Needs ([a-z]+(?:, [a-z]+)*(?: and [a-z]+)?)\\.");

		static final Set<String> READ = Set.of("EXISTS", "GET", "HGET", "HKEYS", "HMGET", "HSTRLEN", "HVALS", "LINDEX",
				"LLEN", "LPOS", "LRANGE", "MEMORY", "SCAN", "SCARD", "SISMEMBER", "SMEMBERS", "SSCAN", "TIME", "TYPE",
				"ZCARD", "ZCOUNT", "ZRANGE", "ZRANGEBYSCORE", "ZMSCORE", "ZSCAN", "ZSCORE", "BYSCORE", "COUNT", "LIMIT",
				"MATCH", "USAGE", "WITHSCORES");

	}

}
