package io.asynq.broker.redis;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import io.asynq.broker.AggregatorKeeper;
import io.asynq.broker.ArrivalBus;
import io.asynq.broker.AttemptKeeper;
import io.asynq.broker.Broker;
import io.asynq.broker.BrokenTaskListener;
import io.asynq.broker.CancellationBus;
import io.asynq.broker.ClusterReader;
import io.asynq.broker.CompletedTaskCleaner;
import io.asynq.broker.ConsistencyChecker;
import io.asynq.broker.FireStore;
import io.asynq.broker.FleetReader;
import io.asynq.broker.GroupKeeper;
import io.asynq.broker.GroupStore;
import io.asynq.broker.LeaseKeeper;
import io.asynq.broker.QueueKeeper;
import io.asynq.broker.QueueReader;
import io.asynq.broker.QueueTurns;
import io.asynq.broker.ResultStore;
import io.asynq.broker.SchedulerRegistry;
import io.asynq.broker.SemaphoreStore;
import io.asynq.broker.ServerRegistry;
import io.asynq.broker.TaskCompleter;
import io.asynq.broker.TaskDequeuer;
import io.asynq.broker.TaskEnqueuer;
import io.asynq.broker.TaskForwarder;
import io.asynq.broker.TaskLister;
import io.asynq.broker.TaskMover;
import io.asynq.broker.TaskReader;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;

/**
 * The queue's store in Redis: any driver, standalone, Sentinel or cluster, whatever the
 * connection factory brings. Safe for concurrent use.
 */
public final class RedisBroker implements Broker, DisposableBean {

	/** How long a lease lasts in Go asynq. */
	public static final Duration DEFAULT_LEASE_DURATION = Duration.ofSeconds(30);

	private final ScriptRunner scripts;

	private final TaskEnqueuer enqueuer;

	private final TaskDequeuer dequeuer;

	private final TaskCompleter completer;

	private final TaskForwarder forwarder;

	private final LeaseKeeper leases;

	private final AttemptKeeper attempts;

	private final CompletedTaskCleaner completedTasks;

	private final ServerRegistry servers;

	private final SchedulerRegistry schedulers;

	private final FireStore fires;

	private final CancellationBus cancellations;

	private final ArrivalBus arrivals;

	private final QueueReader queues;

	private final TaskReader tasks;

	private final ResultStore results;

	private final GroupKeeper groups;

	private final SemaphoreStore semaphores;

	private final QueueTurns turns;

	private final GroupStore groupStore;

	private final AggregatorKeeper aggregators;

	private final ConsistencyChecker consistency;

	private final TaskLister taskLists;

	private final TaskMover mover;

	private final QueueKeeper queueKeeper;

	private final FleetReader fleet;

	private final ClusterReader cluster;

	private final List<PublishedQueues> published;

	private final boolean ownConnections;

	/**
	 * Creates the broker with one set of connections for everything; Redis is not
	 * touched.
	 * @param connectionFactory how to reach Redis; stays the caller's
	 * @param clock the time of what this process alone says, such as when it enqueued a
	 * task; what servers must agree on is told in Redis's time
	 * @param leaseDuration how long a lease lasts; servers on the same queues should
	 * agree, and Go's is {@link #DEFAULT_LEASE_DURATION}
	 * @param brokenTasks is told of data that makes no sense
	 */
	public RedisBroker(RedisConnectionFactory connectionFactory, Clock clock, Duration leaseDuration,
			BrokenTaskListener brokenTasks) {
		this(connectionFactory, clock, ScriptTime.REDIS, leaseDuration, brokenTasks);
	}

	/**
	 * Creates the broker; Redis is not touched.
	 * @param connectionFactory how the application reaches Redis, for what its own
	 * threads ask for; stays the caller's
	 * @param server how servers and schedulers reach Redis; stays the caller's
	 * @param clock the time of what this process alone says, such as when it enqueued a
	 * task; what servers must agree on is told in Redis's time
	 * @param leaseDuration how long a lease lasts; servers on the same queues should
	 * agree, and Go's is {@link #DEFAULT_LEASE_DURATION}
	 * @param brokenTasks is told of data that makes no sense
	 */
	public RedisBroker(RedisConnectionFactory connectionFactory, ServerConnections server, Clock clock,
			Duration leaseDuration, BrokenTaskListener brokenTasks) {
		this(connectionFactory, server, clock, ScriptTime.REDIS, leaseDuration, brokenTasks);
	}

	RedisBroker(RedisConnectionFactory connectionFactory, Clock clock, ScriptTime time, Duration leaseDuration,
			BrokenTaskListener brokenTasks) {
		this(connectionFactory, new ServerConnections(connectionFactory, ServerConnections.Source.SHARED), clock, time,
				leaseDuration, brokenTasks);
	}

	private RedisBroker(RedisConnectionFactory connectionFactory, ServerConnections server, Clock clock,
			ScriptTime time, Duration leaseDuration, BrokenTaskListener brokenTasks) {
		this.scripts = new ScriptRunner(template(server.factory()));
		ScriptRunner application = new ScriptRunner(template(connectionFactory));
		BrokenTaskListener guarded = new GuardedBrokenTaskListener(brokenTasks);
		BrokenTaskHandler broken = new BrokenTaskHandler(this.scripts, time, guarded);
		UsableRedis usable = new UsableRedis(this.scripts);
		SubscriptionConnections subscriptions = new SubscriptionConnections(server.factory());
		PublishedQueues published = new PublishedQueues(this.scripts, time);
		PublishedQueues publishedByApplication = published.over(application);
		this.enqueuer = new RedisEnqueuer(application, clock, time, publishedByApplication);
		this.dequeuer = new RedisDequeuer(this.scripts, time, leaseDuration, broken,
				new LostDequeues(this.scripts, time));
		this.completer = new RedisCompleter(this.scripts, clock, time);
		this.forwarder = new RedisForwarder(this.scripts, time, broken);
		this.leases = new RedisLeaseKeeper(this.scripts, time, leaseDuration, broken);
		this.attempts = new RedisAttemptKeeper(this.scripts);
		this.completedTasks = new RedisCompletedTaskCleaner(this.scripts, time, broken);
		this.servers = new RedisServerRegistry(this.scripts, clock, usable);
		this.schedulers = new RedisSchedulerRegistry(this.scripts, clock);
		this.fires = new RedisFireStore(this.scripts, time, published);
		this.cancellations = new RedisCancellationBus(subscriptions, application);
		this.arrivals = new RedisArrivalBus(subscriptions);
		this.queues = new RedisQueueReader(application, time, usable);
		this.tasks = new RedisTaskReader(application, clock);
		this.results = new RedisResultStore(application);
		this.groups = new RedisGroupKeeper(this.scripts, time);
		this.semaphores = new RedisSemaphoreStore(this.scripts, time);
		this.turns = new RedisQueueTurns(this.scripts);
		this.groupStore = new RedisGroupStore(this.scripts, time, new StagedTasks(this.scripts, clock, time, guarded),
				published);
		this.aggregators = new RedisAggregatorKeeper(this.scripts, time);
		this.consistency = new RedisConsistencyChecker(application, time);
		this.taskLists = new RedisTaskLister(application, time);
		this.mover = new RedisTaskMover(application, time);
		this.queueKeeper = new RedisQueueKeeper(application, clock, publishedByApplication);
		this.fleet = new RedisFleetReader(application, clock);
		this.cluster = new RedisClusterReader(this.scripts);
		this.ownConnections = server.isOwn();
		this.published = List.of(published, publishedByApplication);
	}

	@Override
	public TaskEnqueuer enqueuer() {
		return this.enqueuer;
	}

	@Override
	public TaskDequeuer dequeuer() {
		return this.dequeuer;
	}

	@Override
	public TaskCompleter completer() {
		return this.completer;
	}

	@Override
	public TaskForwarder forwarder() {
		return this.forwarder;
	}

	@Override
	public LeaseKeeper leases() {
		return this.leases;
	}

	@Override
	public AttemptKeeper attempts() {
		return this.attempts;
	}

	@Override
	public CompletedTaskCleaner completedTasks() {
		return this.completedTasks;
	}

	@Override
	public ServerRegistry servers() {
		return this.servers;
	}

	@Override
	public SchedulerRegistry schedulers() {
		return this.schedulers;
	}

	@Override
	public FireStore fires() {
		return this.fires;
	}

	@Override
	public CancellationBus cancellations() {
		return this.cancellations;
	}

	@Override
	public ArrivalBus arrivals() {
		return this.arrivals;
	}

	@Override
	public QueueReader queues() {
		return this.queues;
	}

	@Override
	public TaskReader tasks() {
		return this.tasks;
	}

	@Override
	public ResultStore results() {
		return this.results;
	}

	@Override
	public GroupKeeper groups() {
		return this.groups;
	}

	@Override
	public SemaphoreStore semaphores() {
		return this.semaphores;
	}

	@Override
	public QueueTurns turns() {
		return this.turns;
	}

	@Override
	public GroupStore groupStore() {
		return this.groupStore;
	}

	@Override
	public AggregatorKeeper aggregators() {
		return this.aggregators;
	}

	@Override
	public ConsistencyChecker consistency() {
		return this.consistency;
	}

	@Override
	public TaskLister taskLists() {
		return this.taskLists;
	}

	@Override
	public TaskMover mover() {
		return this.mover;
	}

	@Override
	public QueueKeeper queueKeeper() {
		return this.queueKeeper;
	}

	@Override
	public FleetReader fleet() {
		return this.fleet;
	}

	@Override
	public ClusterReader cluster() {
		return this.cluster;
	}

	@Override
	public boolean isPartitioned() {
		return this.scripts.isCluster();
	}

	/**
	 * Returns whether servers and schedulers have connections that nobody else uses.
	 * @return {@code false} if the application's calls may keep theirs waiting
	 */
	public boolean hasOwnConnections() {
		return this.ownConnections;
	}

	/**
	 * Ends what goes on in the background; to be called when nothing else is.
	 */
	@Override
	public void destroy() {
		this.published.forEach(PublishedQueues::close);
	}

	private static RedisTemplate<String, byte[]> template(RedisConnectionFactory connectionFactory) {
		RedisTemplate<String, byte[]> template = new RedisTemplate<>();
		template.setConnectionFactory(connectionFactory);
		template.setKeySerializer(RedisSerializer.string());
		template.setValueSerializer(RedisSerializer.byteArray());
		template.setHashKeySerializer(RedisSerializer.string());
		template.setHashValueSerializer(RedisSerializer.byteArray());
		template.afterPropertiesSet();
		return template;
	}

}
