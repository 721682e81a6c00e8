package io.asynq.cli.connect;

import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.data.redis.connection.ClusterInfo;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * What Redis says of itself.
 *
 * @param connections how to reach it
 */
record RedisFacts(RedisConnectionFactory connections) {

	/**
	 * Returns the fields of {@code INFO}, of a cluster those of {@code CLUSTER INFO}.
	 * @throws BrokerException if Redis does not let its user ask
	 */
	Map<String, String> read() {
		try (RedisConnection connection = this.connections.getConnection()) {
			if (connection instanceof RedisClusterConnection cluster) {
				return ofCluster(cluster.clusterGetClusterInfo());
			}
			Map<String, String> facts = new TreeMap<>();
			Properties info = connection.serverCommands().info();
			if (info != null) {
				info.stringPropertyNames().forEach((name) -> facts.put(name, info.getProperty(name)));
			}
			return facts;
		}
		catch (DataAccessResourceFailureException ex) {
			throw new BrokerUnavailableException("Redis cannot be reached (INFO): " + ex.getMessage(), ex);
		}
		catch (DataAccessException ex) {
			throw new BrokerException("Redis does not tell its user about itself (INFO): "
					+ NestedExceptionUtils.getMostSpecificCause(ex).getMessage(), ex);
		}
	}

	private static Map<String, String> ofCluster(ClusterInfo info) {
		Map<String, String> facts = new TreeMap<>();
		facts.put("cluster_state", String.valueOf(info.getState()));
		facts.put("cluster_known_nodes", String.valueOf(info.getKnownNodes()));
		facts.put("cluster_size", String.valueOf(info.getClusterSize()));
		facts.put("cluster_slots_assigned", String.valueOf(info.getSlotsAssigned()));
		facts.put("cluster_slots_ok", String.valueOf(info.getSlotsOk()));
		facts.put("cluster_slots_pfail", String.valueOf(info.getSlotsPfail()));
		facts.put("cluster_slots_fail", String.valueOf(info.getSlotsFail()));
		return facts;
	}

}
