package io.asynq.internal.redis;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;
import org.springframework.util.DigestUtils;

/** asynq's keys, a contract with Go, and ours, {@code asynqj:}; a queue has one slot. */
public final class Keys {

	public static final String QUEUES = "asynq:queues";

	public static final String CANCEL_CHANNEL = "asynq:cancel";

	/**
	 * In the first, a middle and the last slot: no node of a larger cluster serves all.
	 */
	public static final List<String> CHECK_TAGS = List.of("14", "16", "44");

	/** All keys of limits lie in one slot. */
	public static final String LIMIT_PREFIX = "asynqj:limits:{limits}:";

	public static final String LIMIT_RULES = LIMIT_PREFIX + "rules";

	private final String prefix;

	private Keys(String queue) {
		this.prefix = "asynq:{" + queue + "}:";
	}

	public static Keys of(String queue) {
		return new Keys(queue);
	}

	public static String check(String tag) {
		return "asynqj:{" + tag + "}:check";
	}

	public static String checkOfGo(String tag) {
		return "asynq:{" + tag + "}:check";
	}

	public static String semaphore(String scope) {
		return "asynq:sema:" + scope;
	}

	/** Returns the semaphore's own key if no other is known to lie in its hash slot. */
	public static String semaphoreHolder(String scope, String taskId) {
		String tokens = semaphore(scope);
		String absent = absent(tokens);
		return (absent != null)
				? absent.substring(0, absent.length() - "absent".length()) + "sema:" + scope + ":" + taskId : tokens;
	}

	/**
	 * Lets a script run although Redis is out of memory: it refuses none that has
	 * written, be it by deleting what does not exist.
	 */
	static final String FREES_FIRST = "redis.pcall('DEL', 'asynqj:{' .. (string.match(KEYS[1], '{([^}]+)}') or KEYS[1])"
			+ " .. '}:absent')\n";

	/** Returns {@code null} if no other key is known to lie in the slot. */
	static @Nullable String absent(String key) {
		int begin = key.indexOf('{');
		int end = key.indexOf('}', begin + 1);
		if (begin >= 0 && end > begin + 1) {
			return "asynqj:" + key.substring(begin, end + 1) + ":absent";
		}
		// Without braces, or with empty ones, the whole name decides
		return (key.indexOf('}') < 0) ? "asynqj:{" + key + "}:absent" : null;
	}

	public static String aliveChannel(UUID id) {
		return "asynqj:alive:" + id;
	}

	public String prefix() {
		return this.prefix;
	}

	public String taskPrefix() {
		return this.prefix + "t:";
	}

	public String task(String id) {
		return this.prefix + "t:" + id;
	}

	public String pending() {
		return this.prefix + "pending";
	}

	public String active() {
		return this.prefix + "active";
	}

	public String lease() {
		return this.prefix + "lease";
	}

	public String scheduled() {
		return this.prefix + "scheduled";
	}

	public String retry() {
		return this.prefix + "retry";
	}

	public String archived() {
		return this.prefix + "archived";
	}

	public String completed() {
		return this.prefix + "completed";
	}

	public String groups() {
		return this.prefix + "groups";
	}

	public String groupPrefix() {
		return this.prefix + "g:";
	}

	public String group(String group) {
		return this.prefix + "g:" + group;
	}

	/** The groups that staged tasks may go back to. */
	public String notedGroups() {
		return ownPrefix() + "groups";
	}

	/** Go finds the group before the last colon. */
	public String stagedSet(String group, UUID set) {
		return group(group) + ":" + set;
	}

	/** Staged sets that are aggregated but not completely deleted yet. */
	public String aggregated() {
		return ownPrefix() + "aggregated";
	}

	public String aggregators() {
		return ownPrefix() + "aggregators";
	}

	public String aggregatorCrashes() {
		return ownPrefix() + "aggregator-crashes";
	}

	/** Names of containers out of reach begin with this key and a colon. */
	public String deleted() {
		return ownPrefix() + "deleted";
	}

	public String fire(String entry, Instant at) {
		return ownPrefix() + "fire:" + entry + ":" + at.getEpochSecond();
	}

	public String lastFire(String entry) {
		return ownPrefix() + "fired:" + entry;
	}

	/** Scored by time. */
	public String outbox() {
		return ownPrefix() + "outbox";
	}

	/** Scored by until when the tasks are put off. */
	public String unhandled() {
		return ownPrefix() + "unhandled";
	}

	/** Scored by since when the tasks wait. */
	public String unhandled(String type) {
		return unhandled() + ":" + type;
	}

	/** Since when leases have been watched without a gap. */
	public String watched() {
		return ownPrefix() + "watched";
	}

	public String cancelled() {
		return ownPrefix() + "cancelled";
	}

	/** Tasks with the same needs are in a key of this name, a colon and the needs. */
	public String waiting() {
		return ownPrefix() + "waiting";
	}

	/** Whose turn it is to look after waiting tasks. */
	public String turn() {
		return ownPrefix() + "turn";
	}

	/** Marks a dequeue whose answer was given up. */
	public String voided(String fence) {
		return ownPrefix() + "void:" + fence;
	}

	/** The new name of a key that has the wrong type. */
	public String setAside(String suffix) {
		return ownPrefix() + "set-aside:" + suffix;
	}

	public String ownPrefix() {
		return "asynqj:" + this.prefix.substring("asynq:".length());
	}

	public String aggregationSets() {
		return this.prefix + "aggregation_sets";
	}

	public String uniquePrefix() {
		return this.prefix + "unique:";
	}

	public String paused() {
		return this.prefix + "paused";
	}

	public String processedTotal() {
		return this.prefix + "processed";
	}

	public String failedTotal() {
		return this.prefix + "failed";
	}

	public String processed(LocalDate day) {
		return this.prefix + "processed:" + day;
	}

	public String failed(LocalDate day) {
		return this.prefix + "failed:" + day;
	}

	public String container(TaskState state) {
		return this.prefix + state.wireName();
	}

	public List<String> containers(List<TaskState> states, String... others) {
		return Stream.concat(states.stream().map(this::container), Stream.of(others)).toList();
	}

	public static String pattern(String prefix) {
		return prefix.replaceAll("[\\[\\]*?\\\\^]", "\\\\$0") + "*";
	}

	/** Without a payload nothing follows the last colon, unlike with an empty one. */
	public String unique(String type, byte @Nullable [] payload) {
		return uniquePrefix() + type + ":" + ((payload != null) ? DigestUtils.md5DigestAsHex(payload) : "");
	}

	/** The equals sign after the last colon keeps it apart from any hash of a payload. */
	public String uniqueByKey(String type, String key) {
		return uniquePrefix() + type + ":=" + key.replace("%", "%25").replace(":", "%3A");
	}

	static boolean isUniqueByKey(String lock) {
		return lock.startsWith("=", lock.lastIndexOf(':') + 1);
	}

	static LocalDate day(Instant instant) {
		return LocalDate.ofInstant(instant, ZoneOffset.UTC);
	}

}
