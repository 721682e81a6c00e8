package io.asynq.interop.peer;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.group.GroupLimits;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.handler.TaskAggregators;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.QueueInfo;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.SchedulerOptions;
import io.asynq.server.BrokenTask;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * This library, in this JVM.
 */
public final class JavaPeer implements Peer {

	private final List<BrokenTask> broken = new CopyOnWriteArrayList<>();

	private final List<JavaServer> servers = new CopyOnWriteArrayList<>();

	private final RedisBroker broker;

	private final AsynqClient client;

	private final AsynqInspector inspector;

	public JavaPeer(RedisConnectionFactory connections) {
		Clock clock = Clock.systemUTC();
		this.broker = new RedisBroker(connections, clock, RedisBroker.DEFAULT_LEASE_DURATION, this.broken::add);
		this.client = AsynqClient.create(this.broker, ClientOptions.builder().clock(clock).build());
		this.inspector = AsynqInspector.create(this.broker, clock);
	}

	@Override
	public TaskView enqueue(Task task, TaskOptions options) {
		return TaskView.of(this.client.enqueue(task, options));
	}

	/**
	 * Returns the client, for what only ours can do.
	 */
	public AsynqClient client() {
		return this.client;
	}

	/**
	 * Returns a scheduler that is not started; the caller stops it.
	 */
	public AsynqScheduler scheduler(UnaryOperator<SchedulerOptions.Builder> options) {
		Clock clock = Clock.systemUTC();
		return AsynqScheduler.create(this.broker, ClientOptions.builder().clock(clock).build(),
				options.apply(SchedulerOptions.builder().clock(clock)).build(), List.of());
	}

	/**
	 * Returns the inspector, to be compared with Go's.
	 */
	public AsynqInspector inspector() {
		return this.inspector;
	}

	@Override
	public PeerServer serve(ServerSpec spec) {
		return serve(spec, new TaskAggregators(), GroupLimits.defaults());
	}

	@Override
	public PeerServer serveGroups(ServerSpec spec, String type, GroupLimits limits) {
		TaskAggregatorFunction aggregator = (queue, group, tasks) -> Task.of(type, group + ":" + String.join(",",
				tasks.stream().map((task) -> new String(task.payload(), StandardCharsets.UTF_8)).toList()));
		return serve(spec, new TaskAggregators().add("", "", aggregator), limits);
	}

	private PeerServer serve(ServerSpec spec, TaskAggregators aggregators, GroupLimits limits) {
		JavaServer server = new JavaServer(this.broker, spec, aggregators, limits);
		this.servers.add(server);
		server.start();
		return server;
	}

	@Override
	public TaskView task(String queue, String id) {
		return TaskView.of(this.inspector.taskInfo(queue, id));
	}

	@Override
	public boolean exists(TaskView task) {
		return this.broker.tasks().find(task.queue(), task.id()).isPresent();
	}

	@Override
	public Set<String> queues() {
		return this.inspector.queues();
	}

	@Override
	public QueueView queue(String queue) {
		QueueInfo info = this.inspector.queueInfo(queue);
		return new QueueView(info.sizes(), info.groups(), info.processed(), info.failed(), info.processedTotal(),
				info.failedTotal(), info.paused());
	}

	@Override
	public void cancel(String id) {
		this.broker.cancellations().cancel(id);
	}

	@Override
	public void close() {
		this.servers.forEach(JavaServer::close);
		if (!this.broken.isEmpty()) {
			throw new AssertionError("Java finds inconsistencies: " + this.broken);
		}
	}

	@Override
	public String toString() {
		return "Java";
	}

}
