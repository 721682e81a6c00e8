package io.asynq.broker.redis.fleet;

import io.asynq.broker.fleet.ServerIdentity;

/** asynq's keys, and ours, {@code asynqj:}; a server has one hash slot. */
final class FleetKeys {

	/** Scored by expiry, like the other lists. */
	static final String SERVERS = "asynq:servers";

	static final String WORKERS = "asynq:workers";

	static final String SCHEDULERS = "asynq:schedulers";

	/** Servers that have gone without signing off. */
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

	static String types(ServerIdentity server) {
		return TYPES + tag(server);
	}

	static String wish(ServerIdentity server) {
		return WISH + tag(server);
	}

	static String held(ServerIdentity server) {
		return HELD + tag(server);
	}

	static String stuck(ServerIdentity server) {
		return STUCK + tag(server);
	}

	static String stuckOf(String server) {
		return STUCK + server.substring(SERVERS.length());
	}

	static String heldOf(String server) {
		return HELD + server.substring(SERVERS.length());
	}

	static String typesOf(String server) {
		return TYPES + server.substring(SERVERS.length());
	}

	static String workersOf(String server) {
		return WORKERS + server.substring(SERVERS.length());
	}

	static String schedulerHistory(String entryId) {
		return "asynq:scheduler_history:" + entryId;
	}

	private static String tag(ServerIdentity member) {
		return ":{" + member.host() + ":" + member.pid() + ":" + member.serverId() + "}";
	}

}
