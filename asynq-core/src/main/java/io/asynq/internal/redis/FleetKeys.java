package io.asynq.internal.redis;

/** asynq's keys, and ours, {@code asynqj:}; a server has one hash slot. */
public final class FleetKeys {

	/** Scored by expiry, like the other lists. */
	public static final String SERVERS = "asynq:servers";

	public static final String WORKERS = "asynq:workers";

	public static final String SCHEDULERS = "asynq:schedulers";

	/** Servers that have gone without signing off. */
	public static final String LOST = "asynqj:servers:lost";

	private static final String TYPES = "asynqj:types";

	private static final String HELD = "asynqj:held";

	private static final String STUCK = "asynqj:stuck";

	private static final String WISH = "asynqj:wish";

	private FleetKeys() {
	}

	public static String server(ServerIdentity server) {
		return SERVERS + tag(server);
	}

	public static String workers(ServerIdentity server) {
		return WORKERS + tag(server);
	}

	public static String scheduler(ServerIdentity scheduler) {
		return SCHEDULERS + tag(scheduler);
	}

	public static String types(ServerIdentity server) {
		return TYPES + tag(server);
	}

	public static String wish(ServerIdentity server) {
		return WISH + tag(server);
	}

	public static String held(ServerIdentity server) {
		return HELD + tag(server);
	}

	public static String stuck(ServerIdentity server) {
		return STUCK + tag(server);
	}

	public static String stuckOf(String server) {
		return STUCK + server.substring(SERVERS.length());
	}

	public static String heldOf(String server) {
		return HELD + server.substring(SERVERS.length());
	}

	public static String typesOf(String server) {
		return TYPES + server.substring(SERVERS.length());
	}

	public static String workersOf(String server) {
		return WORKERS + server.substring(SERVERS.length());
	}

	public static String schedulerHistory(String entryId) {
		return "asynq:scheduler_history:" + entryId;
	}

	private static String tag(ServerIdentity member) {
		return ":{" + member.host() + ":" + member.pid() + ":" + member.serverId() + "}";
	}

}
