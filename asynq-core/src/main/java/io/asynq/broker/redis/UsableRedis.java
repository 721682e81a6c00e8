package io.asynq.broker.redis;

import java.util.List;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;

import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * Checks that asynq can work with this Redis: it is new enough, and no single node of a
 * cluster. An unusable Redis also answers PING. Safe for concurrent use.
 */
public final class UsableRedis {

	/** What to do about a Redis that is too old. */
	public static final String TOO_OLD = Advice.TOO_OLD;

	private final ScriptRunner scripts;

	private volatile boolean known;

	UsableRedis(ScriptRunner scripts) {
		this.scripts = scripts;
	}

	/** Asks until Redis was found usable once. */
	public void requireOnce() {
		if (!this.known) {
			require();
		}
	}

	/**
	 * Checks that Redis answers. On a cluster one master is enough: one that is away
	 * affects its own queues only.
	 */
	public void ping() {
		boolean cluster = this.scripts.runAsGiven("PING", "health check", UsableRedis::ping);
		if (cluster) {
			requireOnce();
		}
		else {
			require();
		}
	}

	/**
	 * Checks one Redis, of a cluster some masters of which one answers.
	 * @throws BrokerException if it cannot be used, with how to fix that
	 */
	void require() {
		BrokerUnavailableException away = null;
		for (String tag : Keys.CHECK_TAGS) {
			try {
				if (!isNewEnough(List.of(tag))) {
					throw new BrokerException("This Redis cannot be used: " + TOO_OLD, null);
				}
				this.known = true;
			}
			catch (BrokerUnavailableException ex) {
				if (!this.scripts.isCluster()) {
					throw ex;
				}
				away = ex;
			}
		}
		if (away != null && !this.known) {
			throw away;
		}
	}

	/**
	 * Returns whether Redis knows what scripts need.
	 * @param tags hash tags of keys that it must hold
	 * @throws BrokerException if it cannot be used for another reason
	 */
	public boolean isNewEnough(List<String> tags) {
		for (String tag : tags) {
			if (this.scripts.runLong(LuaScript.CHECK_USABLE, "a check whether it is usable",
					List.of(Keys.check(tag))) == 0) {
				return false;
			}
		}
		return true;
	}

	private static boolean ping(RedisConnection connection) {
		if (!(connection instanceof RedisClusterConnection cluster)) {
			if (connection.ping() == null) {
				throw new BrokerUnavailableException("Redis does not answer PING", null);
			}
			return false;
		}
		RuntimeException error = new BrokerUnavailableException("The cluster has no master", null);
		for (RedisClusterNode node : cluster.clusterGetNodes()) {
			try {
				if (node.isMaster() && cluster.ping(node) != null) {
					return true;
				}
			}
			catch (RuntimeException ex) {
				error = ex;
			}
		}
		throw error;
	}

}
