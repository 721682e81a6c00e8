package io.asynq.interop.peer;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.broker.Broker;
import io.asynq.broker.BrokenTask;
import io.asynq.broker.GroupLimits;
import io.asynq.broker.redis.RedisBroker;
import io.asynq.client.AsynqClient;
import io.asynq.client.ClientOptions;
import io.asynq.handler.GroupAggregator;
import io.asynq.handler.GroupAggregators;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.QueueInfo;
import io.asynq.scheduler.AsynqScheduler;
import io.asynq.scheduler.SchedulerOptions;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Our own classes, in this JVM.
 */
public final class JavaPeer implements Peer {

	private final List<BrokenTask> broken = new CopyOnWriteArrayList<>();

	private final List<JavaServer> servers = new CopyOnWriteArrayList<>();

	private final Broker broker;

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
	 * @return the client
	 */
	public AsynqClient client() {
		return this.client;
	}

	/**
	 * Returns a scheduler that is not started; the caller stops it.
	 * @param options changes its settings
	 * @return the scheduler
	 */
	public AsynqScheduler scheduler(UnaryOperator<SchedulerOptions.Builder> options) {
		Clock clock = Clock.systemUTC();
		return AsynqScheduler.create(this.broker, ClientOptions.builder().clock(clock).build(),
				options.apply(SchedulerOptions.builder().clock(clock)).build(), List.of());
	}

	/**
	 * Returns the inspector, for what Go's is compared with.
	 * @return the inspector
	 */
	public AsynqInspector inspector() {
		return this.inspector;
	}

	@Override
	public PeerServer serve(ServerSpec spec) {
		return serve(spec, new GroupAggregators(), GroupLimits.defaults());
	}

	@Override
	public PeerServer serveGroups(ServerSpec spec, String type, GroupLimits limits) {
		GroupAggregator aggregator = (queue, group, tasks) -> Task.of(type, group + ":" + String.join(",",
				tasks.stream().map((task) -> new String(task.payload(), StandardCharsets.UTF_8)).toList()));
		return serve(spec, new GroupAggregators().add("", "", aggregator), limits);
	}

	private PeerServer serve(ServerSpec spec, GroupAggregators aggregators, GroupLimits limits) {
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
		this.broker.cancellations().publish(id);
	}

	@Override
	public void close() {
		this.servers.forEach(JavaServer::close);
		if (!this.broken.isEmpty()) {
			throw new AssertionError("What was written makes no sense to Java: " + this.broken);
		}
	}

	@Override
	public String toString() {
		return "Java";
	}

}
