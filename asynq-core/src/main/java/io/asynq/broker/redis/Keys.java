package io.asynq.broker.redis;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Every key name: asynq's, which are a contract with Go, and ours, which begin with
 * {@code asynqj:}. All keys of a queue share the hash slot of {@code {queue}}.
 */
final class Keys {

	/** Set of queue names. */
	static final String QUEUES = "asynq:queues";

	/** Sorted set of server keys by expiry. */
	static final String SERVERS = "asynq:servers";

	/** Sorted set of worker keys by expiry. */
	static final String WORKERS = "asynq:workers";

	/** Sorted set of scheduler keys by expiry. */
	static final String SCHEDULERS = "asynq:schedulers";

	/** Channel of task ids to cancel. */
	static final String CANCEL_CHANNEL = "asynq:cancel";

	/**
	 * Keys that nobody has, in the first, the middle and the last of a cluster's slots: a
	 * Redis that is responsible for all of them has no others beside it.
	 */
	static final List<String> CHECKS = List.of("asynqj:{14}:check", "asynqj:{16}:check", "asynqj:{44}:check");

	private final String prefix;

	private Keys(String queue) {
		this.prefix = "asynq:{" + queue + "}:";
	}

	static Keys of(String queue) {
		return new Keys(queue);
	}

	static String server(String host, int pid, String serverId) {
		return "asynq:servers:{" + host + ":" + pid + ":" + serverId + "}";
	}

	static String workers(String host, int pid, String serverId) {
		return "asynq:workers:{" + host + ":" + pid + ":" + serverId + "}";
	}

	static String semaphore(String scope) {
		return "asynq:sema:" + scope;
	}

	/**
	 * Returns our own note of which attempt holds a token of a semaphore.
	 * @param scope the semaphore
	 * @param taskId the task that holds it
	 * @return the key, that of the semaphore if no other can be known to lie in its hash
	 * slot
	 */
	static String semaphoreHolder(String scope, String taskId) {
		String tokens = semaphore(scope);
		String absent = absent(tokens);
		return (absent != null)
				? absent.substring(0, absent.length() - "absent".length()) + "sema:" + scope + ":" + taskId : tokens;
	}

	static String scheduler(String host, int pid, String schedulerId) {
		return "asynq:schedulers:{" + host + ":" + pid + ":" + schedulerId + "}";
	}

	/**
	 * Returns the set of what a periodic task has enqueued.
	 * @param entryId the id of its entry
	 * @return the key
	 */
	static String schedulerHistory(String entryId) {
		return "asynq:scheduler_history:" + entryId;
	}

	/**
	 * Returns a key that never exists, in the hash slot of another.
	 * @param key a key
	 * @return the key, {@code null} if no other key can be known to lie in that slot
	 */
	static @Nullable String absent(String key) {
		int begin = key.indexOf('{');
		int end = key.indexOf('}', begin + 1);
		if (begin >= 0 && end > begin + 1) {
			return "asynqj:" + key.substring(begin, end + 1) + ":absent";
		}
		// Without braces, or with nothing in them, the whole name decides
		return (key.indexOf('}') < 0) ? "asynqj:{" + key + "}:absent" : null;
	}

	/**
	 * Returns the channel on which a subscription hears itself.
	 * @param id what tells it from all others
	 * @return the channel
	 */
	static String aliveChannel(UUID id) {
		return "asynqj:alive:" + id;
	}

	/**
	 * Returns what all keys of the queue begin with.
	 * @return the prefix
	 */
	String prefix() {
		return this.prefix;
	}

	String taskPrefix() {
		return this.prefix + "t:";
	}

	String task(String id) {
		return this.prefix + "t:" + id;
	}

	String pending() {
		return this.prefix + "pending";
	}

	String active() {
		return this.prefix + "active";
	}

	String lease() {
		return this.prefix + "lease";
	}

	String scheduled() {
		return this.prefix + "scheduled";
	}

	String retry() {
		return this.prefix + "retry";
	}

	String archived() {
		return this.prefix + "archived";
	}

	String completed() {
		return this.prefix + "completed";
	}

	String groups() {
		return this.prefix + "groups";
	}

	String groupPrefix() {
		return this.prefix + "g:";
	}

	String group(String group) {
		return this.prefix + "g:" + group;
	}

	/**
	 * Returns our own note of the groups that staged tasks may go back to.
	 * @return the key
	 */
	String notedGroups() {
		return ownPrefix() + "groups";
	}

	/**
	 * Returns the name of a set of tasks that are being aggregated. Go finds the group
	 * before the last colon.
	 * @param group the group
	 * @param set what tells it from others
	 * @return the key
	 */
	String stagedSet(String group, UUID set) {
		return group(group) + ":" + set;
	}

	/**
	 * Returns our own note of staged sets whose tasks have been aggregated but not all
	 * been deleted yet.
	 * @return the key
	 */
	String aggregated() {
		return ownPrefix() + "aggregated";
	}

	/**
	 * Returns our own note of staged sets that aggregators work on.
	 * @return the key
	 */
	String aggregators() {
		return ownPrefix() + "aggregators";
	}

	/**
	 * Returns our own count of servers that went down with aggregators, by group.
	 * @return the key
	 */
	String aggregatorCrashes() {
		return ownPrefix() + "aggregator-crashes";
	}

	/**
	 * Returns our own note of containers that a deletion has put out of reach, whose
	 * names begin with it and a colon.
	 * @return the key
	 */
	String deleted() {
		return ownPrefix() + "deleted";
	}

	/**
	 * Returns our own mark of who was first at a fire of a periodic task.
	 * @param entry the entry
	 * @param at the fire
	 * @return the key
	 */
	String fire(String entry, Instant at) {
		return ownPrefix() + "fire:" + entry + ":" + at.getEpochSecond();
	}

	/**
	 * Returns our own note of the last fire of a periodic task.
	 * @param entry the entry
	 * @return the key
	 */
	String lastFire(String entry) {
		return ownPrefix() + "fired:" + entry;
	}

	/**
	 * Returns our own note of since when leases have been watched without a gap.
	 * @return the key
	 */
	String watched() {
		return ownPrefix() + "watched";
	}

	/**
	 * Returns our own mark of whose turn it is to try a task that may have to wait.
	 * @return the key
	 */
	String turn() {
		return ownPrefix() + "turn";
	}

	/**
	 * Returns our own mark of a dequeue whose answer nobody waits for any more.
	 * @param fence the fence of what it was to take
	 * @return the key
	 */
	String voided(String fence) {
		return ownPrefix() + "void:" + fence;
	}

	/**
	 * Returns where a key is put that nobody can use.
	 * @param suffix what follows the prefix of the queue's keys
	 * @return the key
	 */
	String setAside(String suffix) {
		return ownPrefix() + "set-aside:" + suffix;
	}

	/**
	 * Returns what our own keys of the queue begin with.
	 * @return the prefix
	 */
	String ownPrefix() {
		return "asynqj:" + this.prefix.substring("asynq:".length());
	}

	String aggregationSets() {
		return this.prefix + "aggregation_sets";
	}

	String uniquePrefix() {
		return this.prefix + "unique:";
	}

	String paused() {
		return this.prefix + "paused";
	}

	String processedTotal() {
		return this.prefix + "processed";
	}

	String failedTotal() {
		return this.prefix + "failed";
	}

	String processed(LocalDate day) {
		return this.prefix + "processed:" + day;
	}

	String failed(LocalDate day) {
		return this.prefix + "failed:" + day;
	}

	/**
	 * Returns the name of a unique lock: nothing follows the last colon when there is no
	 * payload, which is not the same as an empty one.
	 * @param type the task's type
	 * @param payload its payload
	 * @return the key
	 */
	String unique(String type, byte @Nullable [] payload) {
		return uniquePrefix() + type + ":" + ((payload != null) ? md5(payload) : "");
	}

	/**
	 * Returns the day on which an instant is counted.
	 * @param instant the instant
	 * @return its UTC date
	 */
	static LocalDate day(Instant instant) {
		return LocalDate.ofInstant(instant, ZoneOffset.UTC);
	}

	private static String md5(byte[] bytes) {
		try {
			return String.format("%032x", new BigInteger(1, MessageDigest.getInstance("MD5").digest(bytes)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("This JVM has no MD5, which asynq's lock names are made with", ex);
		}
	}

}
