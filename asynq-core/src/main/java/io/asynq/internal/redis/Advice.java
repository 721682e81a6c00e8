package io.asynq.internal.redis;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** How to fix what Redis refuses. */
final class Advice {

	static final String TOO_OLD = "asynq needs Redis 6.2 or newer: check the version of the server that"
			+ " spring.data.redis.host, or spring.data.redis.url, points to";

	private static final String ADDRESS = "check spring.data.redis.host and spring.data.redis.port, or"
			+ " spring.data.redis.url, or the nodes of the cluster or of Sentinel";

	private static final String RULE = "the rule that asynq's Redis user needs is in docs/security.md";

	private static final String KEYS = "the Redis user lacks keys: it needs ~asynq:* and ~asynqj:*; " + RULE;

	private static final String CHANNELS = "the Redis user lacks a channel: it needs &asynq:*, &asynqj:* and"
			+ " &__redis__:invalidate; " + RULE;

	private static final String CREDENTIALS = "check spring.data.redis.username and spring.data.redis.password";

	private static final String PASSWORD = "check spring.data.redis.password";

	private static final String NO_PASSWORD = "remove spring.data.redis.password: this Redis has none";

	/** The first match counts: messages that quote arguments may contain other words. */
	private static final List<Way> WAYS = List.of(new Way("unknown command", TOO_OLD),
			new Way("Unknown Redis command called from", TOO_OLD), new Way("Unknown command called from", TOO_OLD),
			new Way("Wrong number of args calling", TOO_OLD), new Way("after non deterministic commands", TOO_OLD),
			new Way("one of the keys", KEYS), new Way("access a key", KEYS), new Way("one of the channels", CHANNELS),
			new Way("access a channel", CHANNELS), new Way("publish to the channel", CHANNELS),
			new Way("access a database", "the Redis user lacks the database of spring.data.redis.database"),
			new Way("NOPERM", "the Redis user lacks this right; " + RULE), new Way("NOAUTH", CREDENTIALS),
			new Way("WRONGPASS", CREDENTIALS), new Way("invalid password", PASSWORD),
			new Way("without any password configured", NO_PASSWORD),
			new Way("OOM ", "Redis has reached maxmemory; free memory or raise it"),
			new Way("WRONGTYPE", "something else uses this key; rename or delete it"),
			new Way("READONLY", "this is a replica; connect to the primary"),
			new Way("NOREPLICAS", "fewer replicas follow than min-replicas-to-write asks for"),
			new Way("MASTERDOWN", "this is a replica without its primary; connect to the primary"),
			new Way("TRYAGAIN", "its slot is moving to another node; nothing was done, try again"),
			new Way("CLUSTERDOWN", "a part of the cluster has no master at the moment"),
			new Way("LOADING ", "Redis is reading its data after a start"),
			new Way("BUSY ", "somebody's script blocks Redis: see its SLOWLOG"),
			new Way("MISCONF ", "Redis cannot write to its disk: make room, or see its log"),
			new Way("MOVED ", "this Redis is part of a cluster: set spring.data.redis.cluster.nodes instead of"
					+ " spring.data.redis.host and spring.data.redis.port"));

	/** The first match counts: what a driver tells of TLS begins with the address. */
	private static final List<Way> WAYS_OF_DRIVERS = List.of(
			new Way("certification path",
					"set spring.data.redis.ssl.bundle to a bundle that trusts the certificate authority of this Redis"),
			new Way("unrecognized SSL message",
					"this port speaks no TLS: check spring.data.redis.ssl and spring.data.redis.port"),
			new Way("nexpected end of stream", "if this goes on, " + ADDRESS + ", and spring.data.redis.ssl"),
			new Way("UnknownHost", ADDRESS), new Way("onnection refused", ADDRESS), new Way("onnect to", ADDRESS));

	private Advice() {
	}

	static String on(String message) {
		return find(WAYS, message);
	}

	static boolean isOnLogin(String message) {
		String advice = find(WAYS, message);
		return Stream.of(CREDENTIALS, PASSWORD, NO_PASSWORD).map(Advice::brackets).anyMatch(advice::equals);
	}

	static String onConnection(String message) {
		return find(WAYS_OF_DRIVERS, message);
	}

	static String onNoAnswer(LuaScript script) {
		return switch (script.directory()) {
			case "enqueue" -> brackets(
					"the task may have been stored: look for its id before you enqueue it again; with an id of your"
							+ " own or a unique lock a second one is refused while the first exists");
			case "inspect" -> brackets("it may have been done: check before you repeat it");
			default -> "";
		};
	}

	static boolean isUnnamedCommand(String message) {
		return message.contains("can't run this command")
				|| message.contains("ACL failure in script: User") && message.contains("to run the");
	}

	static String onCommands(Collection<String> commands) {
		return brackets("the Redis user lacks the right to run " + String.join(", ", commands) + "; " + RULE);
	}

	private static String find(List<Way> ways, String message) {
		return ways.stream()
			.filter((way) -> message.contains(way.words()))
			.findFirst()
			.map((way) -> brackets(way.advice()))
			.orElse("");
	}

	private static String brackets(String advice) {
		return " (" + advice + ")";
	}

	private record Way(String words, String advice) {

	}

}
