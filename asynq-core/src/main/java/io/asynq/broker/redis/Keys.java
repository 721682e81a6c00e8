package io.asynq.broker.redis;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.util.DigestUtils;
import io.asynq.TaskState;

/**
 * Key names: asynq's, which are a contract with Go, and ours, which begin with
 * {@code asynqj:}. All keys of a queue share the hash slot of {@code {queue}}. Those of
 * servers and schedulers are with their stores.
 */
public final class Keys {

	/** Set of queue names. */
	public static final String QUEUES = "asynq:queues";

	/** Channel of task ids to cancel. */
	public static final String CANCEL_CHANNEL = "asynq:cancel";

	/**
	 * Hash tags in the first, a middle and the last slot of a cluster: a Redis that
	 * serves all of them is not part of a larger cluster.
	 */
	public static final List<String> CHECK_TAGS = List.of("14", "16", "44");

	/** What our own keys of limits begin with; all lie in one slot. */
	public static final String LIMIT_PREFIX = "asynqj:limits:{limits}:";

	/** Our own hash of the rules of limits by name. */
	public static final String LIMIT_RULES = LIMIT_PREFIX + "rules";

	private final String prefix;

	private Keys(String queue) {
		this.prefix = "asynq:{" + queue + "}:";
	}

	public static Keys of(String queue) {
		return new Keys(queue);
	}

	/** Returns an unused key of ours. */
	public static String check(String tag) {
		return "asynqj:{" + tag + "}:check";
	}

	/** Returns an unused key among asynq's own. */
	public static String checkOfGo(String tag) {
		return "asynq:{" + tag + "}:check";
	}

	public static String semaphore(String scope) {
		return "asynq:sema:" + scope;
	}

	/**
	 * Returns our key that names the attempt that holds a token of a semaphore.
	 * @param taskId the task that holds it
	 * @return the key; the semaphore's own if no other key is known to lie in its hash
	 * slot
	 */
	public static String semaphoreHolder(String scope, String taskId) {
		String tokens = semaphore(scope);
		String absent = absent(tokens);
		return (absent != null)
				? absent.substring(0, absent.length() - "absent".length()) + "sema:" + scope + ":" + taskId : tokens;
	}

	/**
	 * The first line of scripts that Redis is to execute even when it is out of memory:
	 * it refuses none that has written, be it by a deletion of what does not exist. See
	 * {@link #absent}.
	 */
	static final String FREES_FIRST = "redis.pcall('DEL', 'asynqj:{' .. (string.match(KEYS[1], '{([^}]+)}') or KEYS[1])"
			+ " .. '}:absent')\n";

	/**
	 * Returns a key that never exists in the hash slot of another.
	 * @return the key, {@code null} if no other key is known to lie in that slot
	 */
	static @Nullable String absent(String key) {
		int begin = key.indexOf('{');
		int end = key.indexOf('}', begin + 1);
		if (begin >= 0 && end > begin + 1) {
			return "asynqj:" + key.substring(begin, end + 1) + ":absent";
		}
		// Without braces, or with empty ones, the whole name decides
		return (key.indexOf('}') < 0) ? "asynqj:{" + key + "}:absent" : null;
	}

	/**
	 * Returns the channel on which a subscription probes itself.
	 * @param id identifies the subscription
	 */
	public static String aliveChannel(UUID id) {
		return "asynqj:alive:" + id;
	}

	/** Returns what all keys of the queue begin with. */
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

	/** Returns our own note of the groups that staged tasks may go back to. */
	public String notedGroups() {
		return ownPrefix() + "groups";
	}

	/**
	 * Returns the name of a staged set. Go finds the group before the last colon.
	 * @param set identifies the set
	 */
	public String stagedSet(String group, UUID set) {
		return group(group) + ":" + set;
	}

	/**
	 * Returns our list of staged sets that are aggregated but not completely deleted yet.
	 */
	public String aggregated() {
		return ownPrefix() + "aggregated";
	}

	/** Returns our own note of staged sets that aggregators work on. */
	public String aggregators() {
		return ownPrefix() + "aggregators";
	}

	/** Returns our own count of servers that went down with aggregators, by group. */
	public String aggregatorCrashes() {
		return ownPrefix() + "aggregator-crashes";
	}

	/**
	 * Returns our list of containers that a deletion has put out of reach. Their names
	 * begin with this key and a colon.
	 */
	public String deleted() {
		return ownPrefix() + "deleted";
	}

	/** Returns our own mark of who was first at a fire of a periodic task. */
	public String fire(String entry, Instant at) {
		return ownPrefix() + "fire:" + entry + ":" + at.getEpochSecond();
	}

	/** Returns our own note of the last fire of a periodic task. */
	public String lastFire(String entry) {
		return ownPrefix() + "fired:" + entry;
	}

	/** Returns our own marks of tasks that an outbox has sent, by time. */
	public String outbox() {
		return ownPrefix() + "outbox";
	}

	/**
	 * Returns our own list of types whose tasks wait for a handler, by until when they
	 * are put off.
	 */
	public String unhandled() {
		return ownPrefix() + "unhandled";
	}

	/** Returns our own list of tasks that wait for a handler, by since when. */
	public String unhandled(String type) {
		return unhandled() + ":" + type;
	}

	/** Returns our own note of since when leases have been watched without a gap. */
	public String watched() {
		return ownPrefix() + "watched";
	}

	/** Returns our own set of tasks that were cancelled while they were active. */
	public String cancelled() {
		return ownPrefix() + "cancelled";
	}

	/**
	 * Returns our own list of what waiting tasks need tokens of. The tasks with the same
	 * needs are in a key that is called like this one, with a colon and the needs after
	 * it.
	 */
	public String waiting() {
		return ownPrefix() + "waiting";
	}

	/** Returns our own mark of whose turn it is to look after waiting tasks. */
	public String turn() {
		return ownPrefix() + "turn";
	}

	/**
	 * Returns our mark of a dequeue whose answer was given up.
	 * @param fence the fence of the dequeue
	 */
	public String voided(String fence) {
		return ownPrefix() + "void:" + fence;
	}

	/**
	 * Returns the new name of a key that has the wrong type.
	 * @param suffix what follows the prefix of the queue's keys
	 */
	public String setAside(String suffix) {
		return ownPrefix() + "set-aside:" + suffix;
	}

	/** Returns what our own keys of the queue begin with. */
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

	/** Returns the container of a state whose tasks are in no group. */
	public String container(TaskState state) {
		return this.prefix + state.wireName();
	}

	/** Returns the containers of states, and after them other keys. */
	public List<String> containers(List<TaskState> states, String... others) {
		return Stream.concat(states.stream().map(this::container), Stream.of(others)).toList();
	}

	/** Returns what SCAN takes for all keys with a prefix. */
	public static String pattern(String prefix) {
		return prefix.replaceAll("[\\[\\]*?\\\\^]", "\\\\$0") + "*";
	}

	/**
	 * Returns the name of a unique lock. Nothing follows the last colon when there is no
	 * payload, which differs from an empty one.
	 */
	public String unique(String type, byte @Nullable [] payload) {
		return uniquePrefix() + type + ":" + ((payload != null) ? DigestUtils.md5DigestAsHex(payload) : "");
	}

	/**
	 * Returns the name of a unique lock with a key of one's own. What follows the last
	 * colon begins with an equals sign, which no hash of a payload does, so it is never
	 * the lock of another type or payload.
	 */
	public String uniqueByKey(String type, String key) {
		return uniquePrefix() + type + ":=" + key.replace("%", "%25").replace(":", "%3A");
	}

	/** Returns whether a unique lock is one with a key of one's own. */
	static boolean isUniqueByKey(String lock) {
		return lock.startsWith("=", lock.lastIndexOf(':') + 1);
	}

	/** Returns the day on which an instant is counted. */
	static LocalDate day(Instant instant) {
		return LocalDate.ofInstant(instant, ZoneOffset.UTC);
	}

}
