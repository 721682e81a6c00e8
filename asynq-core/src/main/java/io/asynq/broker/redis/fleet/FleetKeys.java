package io.asynq.broker.redis.fleet;

import io.asynq.broker.fleet.ServerIdentity;

/**
 * Names of the keys of servers and schedulers: asynq's, and ours, which begin with
 * {@code asynqj:}. All keys of a server share the hash slot of its identity.
 */
final class FleetKeys {

	/** Sorted set of server keys by expiry. */
	static final String SERVERS = "asynq:servers";

	/** Sorted set of worker keys by expiry. */
	static final String WORKERS = "asynq:workers";

	/** Sorted set of scheduler keys by expiry. */
	static final String SCHEDULERS = "asynq:schedulers";

	/** Our own sorted set of servers that have gone without signing off, by expiry. */
	static final String LOST = "asynqj:servers:lost";

	private static final String TYPES = "asynqj:types";

	private static final String HELD = "asynqj:held";

	private static final String STUCK = "asynqj:stuck";

	private static final String WISH = "asynqj:wish";

	private FleetKeys() {
	}

	static String server(ServerIdentity server) {
		return SERVERS + tag(server);
	}

	static String workers(ServerIdentity server) {
		return WORKERS + tag(server);
	}

	static String scheduler(ServerIdentity scheduler) {
		return SCHEDULERS + tag(scheduler);
	}

	/** Returns our own note of the types that a Java server has handlers for. */
	static String types(ServerIdentity server) {
		return TYPES + tag(server);
	}

	/** Returns our own note of what somebody asks of a Java server. */
	static String wish(ServerIdentity server) {
		return WISH + tag(server);
	}

	/** Returns our own note of how many tasks of each queue a Java server holds. */
	static String held(ServerIdentity server) {
		return HELD + tag(server);
	}

	/** Returns our own note of the handlers that a Java server has given up. */
	static String stuck(ServerIdentity server) {
		return STUCK + tag(server);
	}

	/**
	 * Returns our own note of the handlers that a listed server has given up.
	 * @param server its key
	 */
	static String stuckOf(String server) {
		return STUCK + server.substring(SERVERS.length());
	}

	/**
	 * Returns our own note of how many tasks of each queue a listed server holds.
	 * @param server its key
	 */
	static String heldOf(String server) {
		return HELD + server.substring(SERVERS.length());
	}

	/**
	 * Returns our own note of the types of a listed server.
	 * @param server its key
	 */
	static String typesOf(String server) {
		return TYPES + server.substring(SERVERS.length());
	}

	/**
	 * Returns the list of what a listed server works on.
	 * @param server its key
	 */
	static String workersOf(String server) {
		return WORKERS + server.substring(SERVERS.length());
	}

	/**
	 * Returns the history of a scheduler's entry.
	 * @param entryId the id of its entry
	 */
	static String schedulerHistory(String entryId) {
		return "asynq:scheduler_history:" + entryId;
	}

	private static String tag(ServerIdentity member) {
		return ":{" + member.host() + ":" + member.pid() + ":" + member.serverId() + "}";
	}

}
