package io.asynq.broker.redis;

import java.util.Collection;
import java.util.Map;

/**
 * The way out of what Redis refuses, to be added to its own words.
 */
final class Advice {

	static final String TOO_OLD = "asynq needs Redis 6.2 or newer: check the version of the server that"
			+ " spring.data.redis.host, or spring.data.redis.url, points to";

	private static final String ADDRESS = "check spring.data.redis.host and spring.data.redis.port, or"
			+ " spring.data.redis.url, or the nodes of the cluster or of Sentinel";

	private static final String RULE = "the rule that asynq's Redis user needs is in docs/security.md";

	private static final Map<String, String> BY_WORDS = Map.ofEntries(
			Map.entry("NOAUTH", "check spring.data.redis.username and spring.data.redis.password"),
			Map.entry("WRONGPASS", "check spring.data.redis.username and spring.data.redis.password"),
			Map.entry("invalid password", "check spring.data.redis.password"),
			Map.entry("without any password configured", "remove spring.data.redis.password: this Redis has none"),
			Map.entry("OOM ", "Redis has reached maxmemory; free memory or raise it"),
			Map.entry("WRONGTYPE", "something else uses this key; rename or delete it"),
			Map.entry("READONLY", "this is a replica; connect to the primary"),
			Map.entry("TRYAGAIN", "its slot is moving to another node; nothing was done, try again"),
			Map.entry("CLUSTERDOWN", "a part of the cluster has no master at the moment"),
			Map.entry("LOADING ", "Redis is reading its data after a start"),
			Map.entry("MISCONF ", "Redis cannot write to its disk: make room, or see its log"),
			Map.entry("MOVED ",
					"this Redis is part of a cluster: set spring.data.redis.cluster.nodes instead of"
							+ " spring.data.redis.host and spring.data.redis.port"),
			Map.entry("Unknown Redis command called from", TOO_OLD), Map.entry("unknown command", TOO_OLD),
			Map.entry("Wrong number of args calling Redis command", TOO_OLD));

	private static final Map<String, String> BY_WORDS_OF_DRIVERS = Map.of("certification path",
			"set spring.data.redis.ssl.bundle to a bundle that trusts the certificate authority of this Redis",
			"unrecognized SSL message",
			"this port speaks no TLS: check spring.data.redis.ssl and spring.data.redis.port", "onnection refused",
			ADDRESS, "onnect to", ADDRESS, "UnknownHost", ADDRESS, "nexpected end of stream",
			"if this goes on, " + ADDRESS + ", and spring.data.redis.ssl");

	private Advice() {
	}

	/**
	 * Returns what to do about an error.
	 * @param message what Redis says
	 * @return the way out in brackets, empty if none is known
	 */
	static String on(String message) {
		if (isKey(message)) {
			return brackets("the Redis user lacks keys: it needs ~asynq:* and ~asynqj:*; " + RULE);
		}
		if (message.contains("one of the channels")) {
			return brackets(
					"the Redis user lacks a channel: it needs &asynq:*, &asynqj:* and &__redis__:invalidate; " + RULE);
		}
		if (message.contains("NOPERM")) {
			return brackets("the Redis user lacks this right; " + RULE);
		}
		return find(BY_WORDS, message);
	}

	/**
	 * Returns what to do when there is no connection.
	 * @param message what the driver says
	 * @return the way out in brackets, empty if none is known
	 */
	static String onConnection(String message) {
		return find(BY_WORDS_OF_DRIVERS, message);
	}

	/**
	 * Recognizes that a command within a script was refused, which Redis does not name.
	 * @param message what Redis says
	 * @return whether it is that error
	 */
	static boolean isUnnamedCommand(String message) {
		return message.contains("can't run this command")
				|| message.contains("ACL failure in script") && !isKey(message);
	}

	/**
	 * Returns what to do about refused commands.
	 * @param commands the commands
	 * @return the way out in brackets
	 */
	static String onCommands(Collection<String> commands) {
		return brackets("the Redis user lacks the right to run " + String.join(", ", commands) + "; " + RULE);
	}

	private static String find(Map<String, String> ways, String message) {
		return ways.entrySet()
			.stream()
			.filter((entry) -> message.contains(entry.getKey()))
			.findFirst()
			.map((entry) -> brackets(entry.getValue()))
			.orElse("");
	}

	private static boolean isKey(String message) {
		return message.contains("one of the keys") || message.contains("access a key");
	}

	private static String brackets(String advice) {
		return " (" + advice + ")";
	}

}
