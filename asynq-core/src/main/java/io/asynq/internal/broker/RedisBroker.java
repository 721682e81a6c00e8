package io.asynq.internal.broker;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.AsynqClient;
import io.asynq.Broker;
import io.asynq.ClientOptions;
import io.asynq.internal.arrival.ArrivalSource;
import io.asynq.internal.cancel.CancelChannel;
import io.asynq.internal.enqueue.DefaultAsynqClient;
import io.asynq.internal.enqueue.OutboxStore;
import io.asynq.internal.enqueue.RedisEnqueuer;
import io.asynq.internal.enqueue.RedisOutboxStore;
import io.asynq.internal.enqueue.TaskEnqueuer;
import io.asynq.internal.enqueue.TaskOutbox;
import io.asynq.internal.event.Observers;
import io.asynq.internal.fleet.ClusterNodes;
import io.asynq.internal.fleet.FleetReader;
import io.asynq.internal.fleet.ServerRegistry;
import io.asynq.internal.group.GroupStore;
import io.asynq.internal.inspect.ManyQueues;
import io.asynq.internal.inspect.QueueKeeper;
import io.asynq.internal.inspect.QueueReader;
import io.asynq.internal.inspect.RedisManyQueues;
import io.asynq.internal.inspect.TaskKeeper;
import io.asynq.internal.lane.WorkFinder;
import io.asynq.internal.limit.LimitReader;
import io.asynq.internal.limit.LimitStore;
import io.asynq.internal.limit.RedisSemaphoreStore;
import io.asynq.internal.limit.SemaphoreStore;
import io.asynq.internal.redis.PublishedQueues;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.ServerConnections;
import io.asynq.internal.redis.UsableRedis;
import io.asynq.internal.redis.driver.SubscriptionConnections;
import io.asynq.internal.schedule.DefaultAsynqScheduler;
import io.asynq.internal.schedule.SchedulerStore;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.BrokenTaskHandler;
import io.asynq.internal.worker.GuardedBrokenTaskListener;
import io.asynq.internal.worker.LostDequeues;
import io.asynq.internal.worker.RedisDequeuer;
import io.asynq.internal.worker.TaskCompleter;
import io.asynq.internal.worker.TaskDequeuer;
import io.asynq.internal.worker.TaskUpkeep;
import io.asynq.internal.worker.UnhandledStore;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.SchedulerListener;
import io.asynq.schedule.SchedulerOptions;
import io.asynq.server.BrokenTaskListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Everything that is kept in Redis; only assembly sees it all, components take what they
 * need. Tests put a recorder in the place of some stores.
 */
public class RedisBroker implements Broker {

	/** How long a call of the application's own threads may take unless configured. */
	public static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(3);

	/** As in Go. */
	public static final Duration DEFAULT_LEASE_DURATION = Duration.ofSeconds(30);

	private static final Logger logger = OneLineLogger.of(RedisBroker.class);

	private final RedisEnqueuer enqueuer;

	private final OutboxStore outbox;

	private final TaskDequeuer dequeuer;

	private final TaskCompleter completer;

	private final TaskUpkeep upkeep;

	private final UnhandledStore unhandled;

	private final GroupStore groups;

	private final SchedulerStore schedulers;

	private final ServerRegistry servers;

	private final CancelChannel cancellations;

	private final ArrivalSource arrivals;

	private final SemaphoreStore semaphores;

	private final LimitStore limits;

	private final LimitReader limitReader;

	private final QueueReader queues;

	private final ManyQueues manyQueues;

	private final WorkFinder work;

	private final TaskKeeper tasks;

	private final QueueKeeper queueKeeper;

	private final FleetReader fleet;

	private final ScriptRunner scripts;

	private final ScriptRunner serverScripts;

	private final ScriptTime time;

	private final List<PublishedQueues> published;

	private final boolean ownConnections;

	/** Of factories that read from replicas. */
	private final List<DisposableBean> copies = new ArrayList<>();

	/** Servers share these connections, so they may have to wait for the application. */
	public RedisBroker(RedisConnectionFactory connectionFactory, Clock clock, Duration leaseDuration,
			BrokenTaskListener brokenTasks) {
		this(connectionFactory, clock, ScriptTime.REDIS, leaseDuration, brokenTasks);
	}

	public RedisBroker(RedisConnectionFactory connectionFactory, ServerConnections server, Clock clock,
			Duration leaseDuration, BrokenTaskListener brokenTasks) {
		this(connectionFactory, DEFAULT_CALL_TIMEOUT, server, clock, leaseDuration, brokenTasks);
	}

	/**
	 * Leaves connections to the caller; all servers of a queue need the same lease
	 * duration, and they agree by Redis's time, not by {@code clock}.
	 */
	public RedisBroker(RedisConnectionFactory connectionFactory, Duration callTimeout, ServerConnections server,
			Clock clock, Duration leaseDuration, BrokenTaskListener brokenTasks) {
		this(connectionFactory, callTimeout, server, clock, ScriptTime.REDIS, leaseDuration, brokenTasks);
	}

	public RedisBroker(RedisConnectionFactory connectionFactory, Clock clock, ScriptTime time, Duration leaseDuration,
			BrokenTaskListener brokenTasks) {
		this(connectionFactory, DEFAULT_CALL_TIMEOUT,
				new ServerConnections(connectionFactory, ServerConnections.Source.SHARED), clock, time, leaseDuration,
				brokenTasks);
	}

	private RedisBroker(RedisConnectionFactory connectionFactory, Duration callTimeout, ServerConnections server,
			Clock clock, ScriptTime time, Duration leaseDuration, BrokenTaskListener brokenTasks) {
		Duration commandTimeout = ServerConnections.commandTimeout(connectionFactory);
		ScriptRunner scripts = new ScriptRunner(ofPrimary(server.factory()));
		ScriptRunner application = new ScriptRunner(ofPrimary(connectionFactory),
				(commandTimeout != null && commandTimeout.compareTo(callTimeout) > 0) ? commandTimeout : callTimeout);
		BrokenTaskListener guarded = new GuardedBrokenTaskListener(brokenTasks);
		BrokenTaskHandler broken = new BrokenTaskHandler(scripts, time, guarded);
		UsableRedis usable = new UsableRedis(scripts);
		PublishedQueues published = new PublishedQueues(scripts, time);
		PublishedQueues publishedByApplication = published.over(application);
		ClusterNodes nodes = new ClusterNodes(scripts, server.slotCheck());
		this.enqueuer = new RedisEnqueuer(application, connectionFactory, clock, time, publishedByApplication, usable);
		this.outbox = new RedisOutboxStore(scripts, time, published);
		this.dequeuer = new RedisDequeuer(scripts, time, leaseDuration, broken, new LostDequeues(scripts, time));
		this.completer = new TaskCompleter(scripts, application, clock, time);
		this.upkeep = new TaskUpkeep(scripts, time, leaseDuration, broken);
		this.unhandled = new UnhandledStore(scripts, time);
		this.groups = new GroupStore(scripts, clock, time, published, guarded);
		this.schedulers = new SchedulerStore(scripts, clock, time, published);
		this.servers = new ServerRegistry(scripts, clock, usable, nodes);
		SubscriptionConnections subscriptions = server.subscriptions();
		this.cancellations = new CancelChannel(subscriptions, application, scripts::seesCluster);
		this.arrivals = new ArrivalSource(server.tracked(), scripts::seesCluster);
		this.semaphores = new RedisSemaphoreStore(scripts, time);
		this.limits = new LimitStore(scripts, time, leaseDuration);
		this.limitReader = new LimitReader(application);
		this.queues = new QueueReader(application, time, usable);
		this.manyQueues = new RedisManyQueues(scripts, time, this.servers::masters,
				new FleetReader(scripts, clock, time, nodes)::consumers);
		this.work = new WorkFinder(scripts, time);
		this.tasks = new TaskKeeper(application, clock, time);
		this.queueKeeper = new QueueKeeper(application, clock, publishedByApplication);
		this.fleet = new FleetReader(application, clock, time, nodes);
		this.scripts = application;
		this.serverScripts = scripts;
		this.time = time;
		this.ownConnections = server.isOwn();
		this.published = List.of(published, publishedByApplication);
	}

	/** Returns what a user's handle stands for. */
	public static RedisBroker of(Broker broker) {
		if (broker instanceof RedisBroker redis) {
			return redis;
		}
		throw new IllegalArgumentException(
				"A broker must come from Broker.create, but is a " + broker.getClass().getName());
	}

	public TaskEnqueuer enqueuer() {
		return this.enqueuer;
	}

	public OutboxStore outbox() {
		return this.outbox;
	}

	public TaskDequeuer dequeuer() {
		return this.dequeuer;
	}

	public TaskCompleter completer() {
		return this.completer;
	}

	public TaskUpkeep upkeep() {
		return this.upkeep;
	}

	public UnhandledStore unhandled() {
		return this.unhandled;
	}

	public GroupStore groups() {
		return this.groups;
	}

	public SchedulerStore schedulers() {
		return this.schedulers;
	}

	public ServerRegistry servers() {
		return this.servers;
	}

	public CancelChannel cancellations() {
		return this.cancellations;
	}

	public ArrivalSource arrivals() {
		return this.arrivals;
	}

	public SemaphoreStore semaphores() {
		return this.semaphores;
	}

	public LimitStore limits() {
		return this.limits;
	}

	public LimitReader limitReader() {
		return this.limitReader;
	}

	public QueueReader queues() {
		return this.queues;
	}

	public ManyQueues manyQueues() {
		return this.manyQueues;
	}

	public WorkFinder work() {
		return this.work;
	}

	public TaskKeeper tasks() {
		return this.tasks;
	}

	public QueueKeeper queueKeeper() {
		return this.queueKeeper;
	}

	public FleetReader fleet() {
		return this.fleet;
	}

	public ScriptRunner scripts() {
		return this.scripts;
	}

	public ScriptRunner serverScripts() {
		return this.serverScripts;
	}

	public ScriptTime time() {
		return this.time;
	}

	public AsynqClient client(ClientOptions options, Observers observers, @Nullable TaskOutbox outbox) {
		return new DefaultAsynqClient(enqueuer(), options, observers, outbox);
	}

	public AsynqScheduler scheduler(ClientOptions client, Observers observers, @Nullable TaskOutbox outbox,
			SchedulerOptions options, List<SchedulerListener> listeners) {
		DefaultAsynqClient fires = new DefaultAsynqClient(enqueuer(), client, observers, outbox);
		return new DefaultAsynqScheduler(fires, schedulers(), () -> servers().isPartitioned(),
				(queues) -> servers().masters(queues), options, listeners);
	}

	public boolean hasOwnConnections() {
		return this.ownConnections;
	}

	/** To be called last: it ends what goes on in the background. */
	@Override
	public void close() {
		this.enqueuer.close();
		this.published.forEach(PublishedQueues::close);
		for (DisposableBean copy : this.copies) {
			try {
				copy.destroy();
			}
			catch (Exception ex) {
				logger.debug("Connections could not be closed", ex);
			}
		}
	}

	private RedisConnectionFactory ofPrimary(RedisConnectionFactory connections) {
		RedisConnectionFactory copy = ServerConnections.readingFromPrimary(connections);
		if (copy == null) {
			return connections;
		}
		this.copies.add((DisposableBean) copy);
		return copy;
	}

}
