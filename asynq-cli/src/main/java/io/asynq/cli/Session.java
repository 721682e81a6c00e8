package io.asynq.cli;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

import io.asynq.AsynqClient;
import io.asynq.Broker;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.ClientOptions;
import io.asynq.inspect.AsynqInspector;
import io.asynq.operations.RepairOperations;
import io.asynq.operations.TaskOperations;
import io.asynq.operations.attention.Situation;
import io.asynq.operations.attention.SituationReader;
import io.asynq.operations.survey.FailureGroups;
import io.asynq.operations.survey.QueueBoard;
import io.asynq.operations.survey.QueueDetails;
import io.asynq.operations.survey.TaskSearch;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.data.redis.connection.ClusterInfo;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** A connection to Redis for one run of the program. Connects with the first call. */
final class Session implements AutoCloseable {

	/** What Redis takes: a program's limit would not be the application's anyway. */
	private static final long MOST_BYTES = 512L * 1024 * 1024;

	private final JedisConnectionFactory connections;

	private final Broker broker;

	private final AsynqInspector inspector;

	private final Clock clock;

	private final boolean cluster;

	private Session(RedisAddress address, Clock clock, JedisConnectionFactory connections) {
		this.connections = connections;
		this.broker = Broker.create(connections, clock);
		this.inspector = AsynqInspector.create(this.broker, clock);
		this.clock = clock;
		this.cluster = address.kind() == RedisAddress.Kind.CLUSTER;
	}

	/** Large batches on a busy Redis take their time. */
	static Session open(Settings settings, Clock clock) {
		return open(settings, clock, Duration.ofSeconds(5), Duration.ofSeconds(30));
	}

	static Session open(Settings settings, Clock clock, Duration connectTimeout, Duration readTimeout) {
		RedisAddress address = AddressReader.read(settings);
		return new Session(address, clock, RedisConnections.to(address, connectTimeout, readTimeout));
	}

	AsynqInspector inspector() {
		return this.inspector;
	}

	AsynqClient client() {
		return AsynqClient.create(this.broker,
				ClientOptions.builder().clock(this.clock).maxPayloadSize(MOST_BYTES).build());
	}

	TaskOperations tasks() {
		return new TaskOperations(this.inspector, client(), this.clock);
	}

	TaskSearch search() {
		return new TaskSearch(this.broker, this.clock);
	}

	RepairOperations repairs() {
		return new RepairOperations(this.inspector, this.broker);
	}

	FailureGroups failures() {
		return new FailureGroups(search(), this.clock);
	}

	QueueBoard board() {
		return new QueueBoard(this.broker, this.clock);
	}

	Situation situation() {
		return SituationReader.create(this.broker, this.clock, Duration.ZERO).read();
	}

	QueueDetails details() {
		return QueueDetails.create(this.broker);
	}

	boolean isCluster() {
		return this.cluster;
	}

	Map<String, String> info() {
		try (RedisConnection connection = this.connections.getConnection()) {
			Map<String, String> facts = new TreeMap<>();
			if (connection instanceof RedisClusterConnection nodes) {
				ClusterInfo info = nodes.clusterGetClusterInfo();
				facts.put("cluster_state", String.valueOf(info.getState()));
				facts.put("cluster_known_nodes", String.valueOf(info.getKnownNodes()));
				facts.put("cluster_size", String.valueOf(info.getClusterSize()));
				facts.put("cluster_slots_assigned", String.valueOf(info.getSlotsAssigned()));
				facts.put("cluster_slots_ok", String.valueOf(info.getSlotsOk()));
				facts.put("cluster_slots_pfail", String.valueOf(info.getSlotsPfail()));
				facts.put("cluster_slots_fail", String.valueOf(info.getSlotsFail()));
				return facts;
			}
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

	@Override
	public void close() {
		this.broker.close();
		this.connections.destroy();
	}

}
