package io.asynq.cli.connect;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.QueueStats;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.operations.QueueOperations;
import io.asynq.operations.RepairOperations;
import io.asynq.operations.SchedulerOperations;
import io.asynq.operations.TaskOperations;
import io.asynq.operations.attention.Situation;
import io.asynq.operations.attention.SituationReader;
import io.asynq.operations.survey.FailureGroups;
import io.asynq.operations.survey.QueueBoard;
import io.asynq.operations.survey.TaskSearch;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * A connection to Redis for one run of the program. Connects with the first call.
 */
public final class Session implements AutoCloseable {

	/** What Redis takes: a program's limit would not be the application's anyway. */
	private static final long MOST_BYTES = 512L * 1024 * 1024;

	private final JedisConnectionFactory connections;

	private final RedisBroker broker;

	private final AsynqInspector inspector;

	private final Clock clock;

	private final boolean cluster;

	private Session(RedisAddress address, Clock clock, JedisConnectionFactory connections) {
		this.connections = connections;
		this.broker = new RedisBroker(this.connections, clock, RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
		this.inspector = AsynqInspector.create(this.broker, clock);
		this.clock = clock;
		this.cluster = address.kind() == RedisAddress.Kind.CLUSTER;
	}

	/**
	 * Opens a session.
	 * @throws io.asynq.cli.terminal.UsageException if the settings make no sense
	 */
	public static Session open(Settings settings, Clock clock) {
		RedisAddress address = AddressReader.read(settings);
		return new Session(address, clock, RedisConnections.to(address));
	}

	/** Opens a session in which no call takes longer. */
	public static Session open(Settings settings, Clock clock, Duration patience) {
		RedisAddress address = AddressReader.read(settings);
		return new Session(address, clock, RedisConnections.to(address, patience, patience));
	}

	public AsynqInspector inspector() {
		return this.inspector;
	}

	public QueueOperations queues() {
		return new QueueOperations(this.inspector);
	}

	public TaskOperations tasks() {
		return new TaskOperations(this.inspector, client(), this.clock);
	}

	public RepairOperations repairs() {
		return new RepairOperations(this.inspector);
	}

	/** Counts the tasks of a queue that wait for a handler, by type. */
	public Map<String, Long> unhandled(String queue) {
		return this.broker.queueKeeper().unhandled(queue);
	}

	/** Counts the tasks of a queue that wait for limits. */
	public long limited(String queue) {
		return this.broker.queues().stats(queue).map(QueueStats::waitingForLimit).orElse(0L);
	}

	/** Counts the tasks that servers have fetched ahead, by queue. */
	public Map<String, Long> held() {
		return this.broker.fleet().held();
	}

	public SchedulerOperations schedulers() {
		return new SchedulerOperations(this.inspector, client(), null, null);
	}

	public AsynqClient client() {
		return AsynqClient.create(this.broker,
				ClientOptions.builder().clock(this.clock).maxPayloadSize(MOST_BYTES).build());
	}

	/** Returns whether Redis was said to be a cluster. */
	public boolean isCluster() {
		return this.cluster;
	}

	/**
	 * Returns what Redis says of itself, by name: {@code INFO}, or {@code CLUSTER INFO}.
	 */
	public Map<String, String> info() {
		return new RedisFacts(this.connections).read();
	}

	/** Reads once what tells whether somebody should look. */
	public Situation situation() {
		return SituationReader.create(this.broker, this.clock, Duration.ZERO).read();
	}

	/** Searches tasks by filters. */
	public TaskSearch search() {
		return TaskSearch.create(this.broker, this.clock);
	}

	/** Groups failures by their reasons. */
	public FailureGroups failures() {
		return new FailureGroups(search(), this.clock);
	}

	/** Reads all queues at once. */
	public QueueBoard board() {
		return QueueBoard.create(this.broker, this.clock);
	}

	@Override
	public void close() {
		this.broker.destroy();
		this.connections.destroy();
	}

}
