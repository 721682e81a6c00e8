package io.asynq.broker.redis;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.broker.BrokenTaskListener;
import io.asynq.broker.Broker;
import io.asynq.broker.FleetReader;
import io.asynq.broker.GroupKeeper;
import io.asynq.broker.GroupStore;
import io.asynq.broker.ManyQueues;
import io.asynq.broker.QueueKeeper;
import io.asynq.broker.QueueReader;
import io.asynq.broker.SchedulerStore;
import io.asynq.broker.SemaphoreStore;
import io.asynq.broker.ServerRegistry;
import io.asynq.broker.Signals;
import io.asynq.broker.TaskCompleter;
import io.asynq.broker.TaskDequeuer;
import io.asynq.broker.TaskEnqueuer;
import io.asynq.broker.TaskKeeper;
import io.asynq.broker.TaskUpkeep;
import io.asynq.broker.work.UnhandledStore;
import io.asynq.broker.check.StoreCheck;
import io.asynq.broker.limit.LimitReader;
import io.asynq.broker.limit.LimitStore;
import io.asynq.broker.outbox.OutboxStore;
import io.asynq.broker.redis.check.RedisStoreCheck;
import io.asynq.broker.redis.check.RedisStoreSurvey;
import io.asynq.broker.redis.driver.CommandTimeout;
import io.asynq.broker.redis.fleet.ClusterNodes;
import io.asynq.broker.redis.fleet.RedisFleetReader;
import io.asynq.broker.redis.fleet.RedisFleetSurvey;
import io.asynq.broker.redis.fleet.RedisSchedulerStore;
import io.asynq.broker.redis.fleet.RedisServerRegistry;
import io.asynq.broker.redis.group.RedisGroupKeeper;
import io.asynq.broker.redis.group.RedisGroupStore;
import io.asynq.broker.redis.group.StagedTasks;
import io.asynq.broker.redis.limit.RedisLimitReader;
import io.asynq.broker.redis.limit.RedisLimitStore;
import io.asynq.broker.redis.queue.RedisManyQueues;
import io.asynq.broker.redis.queue.RedisQueueKeeper;
import io.asynq.broker.redis.queue.RedisQueueReader;
import io.asynq.broker.redis.queue.RedisTaskKeeper;
import io.asynq.broker.redis.queue.RedisTaskSurvey;
import io.asynq.broker.redis.queue.RedisWorkFinder;
import io.asynq.broker.redis.signal.RedisSignals;
import io.asynq.broker.redis.task.BrokenTaskHandler;
import io.asynq.broker.redis.task.LostDequeues;
import io.asynq.broker.redis.task.RedisCompleter;
import io.asynq.broker.redis.task.RedisDequeuer;
import io.asynq.broker.redis.task.RedisEnqueuer;
import io.asynq.broker.redis.task.RedisOutboxStore;
import io.asynq.broker.redis.task.RedisSemaphoreStore;
import io.asynq.broker.redis.task.RedisTaskUpkeep;
import io.asynq.broker.redis.task.RedisUnhandledStore;
import io.asynq.broker.survey.FleetSurvey;
import io.asynq.broker.survey.StoreSurvey;
import io.asynq.broker.survey.TaskSurvey;
import io.asynq.broker.work.WorkFinder;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;

public final class RedisBroker implements Broker, DisposableBean {

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

	private final GroupKeeper groupKeeper;

	private final SchedulerStore schedulers;

	private final ServerRegistry servers;

	private final Signals signals;

	private final SemaphoreStore semaphores;

	private final LimitStore limits;

	private final LimitReader limitReader;

	private final QueueReader queues;

	private final ManyQueues manyQueues;

	private final WorkFinder work;

	private final TaskKeeper tasks;

	private final QueueKeeper queueKeeper;

	private final FleetReader fleet;

	private final StoreCheck check;

	private final TaskSurvey taskSurvey;

	private final FleetSurvey fleetSurvey;

	private final StoreSurvey storeSurvey;

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
		Duration commandTimeout = CommandTimeout.of(connectionFactory);
		ScriptRunner scripts = new ScriptRunner(template(ofPrimary(server.factory())));
		ScriptRunner application = new ScriptRunner(template(ofPrimary(connectionFactory)),
				(commandTimeout != null && commandTimeout.compareTo(callTimeout) > 0) ? commandTimeout : callTimeout);
		BrokenTaskListener guarded = new GuardedBrokenTaskListener(brokenTasks);
		BrokenTaskHandler broken = new BrokenTaskHandler(scripts, time, guarded);
		UsableRedis usable = new UsableRedis(scripts);
		PublishedQueues published = new PublishedQueues(scripts, time);
		PublishedQueues publishedByApplication = published.over(application);
		StagedTasks staged = new StagedTasks(scripts, clock, time, guarded);
		ClusterNodes nodes = new ClusterNodes(scripts, server.clusterView());
		this.enqueuer = new RedisEnqueuer(application, connectionFactory, clock, time, publishedByApplication);
		this.outbox = new RedisOutboxStore(scripts, time, published);
		this.dequeuer = new RedisDequeuer(scripts, time, leaseDuration, broken, new LostDequeues(scripts, time));
		this.completer = new RedisCompleter(scripts, application, clock, time);
		this.upkeep = new RedisTaskUpkeep(scripts, time, leaseDuration, broken);
		this.unhandled = new RedisUnhandledStore(scripts, time);
		this.groups = new RedisGroupStore(scripts, time, staged, published);
		this.groupKeeper = new RedisGroupKeeper(scripts, time, staged);
		this.schedulers = new RedisSchedulerStore(scripts, clock, time, published);
		this.servers = new RedisServerRegistry(scripts, clock, usable, nodes);
		RedisSignals signals = new RedisSignals(server.subscriptions(), server.tracked(), application,
				scripts::seesCluster);
		this.signals = signals;
		this.semaphores = new RedisSemaphoreStore(scripts, time);
		this.limits = new RedisLimitStore(scripts, time, leaseDuration);
		this.limitReader = new RedisLimitReader(application);
		this.queues = new RedisQueueReader(application, time, usable);
		this.manyQueues = new RedisManyQueues(scripts, time, this.servers::masters,
				new RedisFleetReader(scripts, clock, time, nodes)::consumers);
		this.work = new RedisWorkFinder(scripts, time);
		this.tasks = new RedisTaskKeeper(application, clock, time);
		this.queueKeeper = new RedisQueueKeeper(application, clock, time, publishedByApplication, this.unhandled,
				this.servers);
		this.fleet = new RedisFleetReader(application, clock, time, nodes);
		this.check = new RedisStoreCheck(scripts, usable, clock, signals, signals.choosesNode() ? signals::at : null);
		this.taskSurvey = new RedisTaskSurvey(application, time);
		this.fleetSurvey = new RedisFleetSurvey(application, clock, time);
		this.storeSurvey = new RedisStoreSurvey(application);
		this.ownConnections = server.isOwn();
		this.published = List.of(published, publishedByApplication);
	}

	@Override
	public TaskEnqueuer enqueuer() {
		return this.enqueuer;
	}

	@Override
	public OutboxStore outbox() {
		return this.outbox;
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
	public TaskUpkeep upkeep() {
		return this.upkeep;
	}

	@Override
	public UnhandledStore unhandled() {
		return this.unhandled;
	}

	@Override
	public GroupStore groups() {
		return this.groups;
	}

	@Override
	public GroupKeeper groupKeeper() {
		return this.groupKeeper;
	}

	@Override
	public SchedulerStore schedulers() {
		return this.schedulers;
	}

	@Override
	public ServerRegistry servers() {
		return this.servers;
	}

	@Override
	public Signals signals() {
		return this.signals;
	}

	@Override
	public SemaphoreStore semaphores() {
		return this.semaphores;
	}

	@Override
	public LimitStore limits() {
		return this.limits;
	}

	@Override
	public LimitReader limitReader() {
		return this.limitReader;
	}

	@Override
	public QueueReader queues() {
		return this.queues;
	}

	@Override
	public ManyQueues manyQueues() {
		return this.manyQueues;
	}

	@Override
	public WorkFinder work() {
		return this.work;
	}

	@Override
	public TaskKeeper tasks() {
		return this.tasks;
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
	public StoreCheck check() {
		return this.check;
	}

	@Override
	public TaskSurvey taskSurvey() {
		return this.taskSurvey;
	}

	@Override
	public FleetSurvey fleetSurvey() {
		return this.fleetSurvey;
	}

	@Override
	public StoreSurvey storeSurvey() {
		return this.storeSurvey;
	}

	public boolean hasOwnConnections() {
		return this.ownConnections;
	}

	/** To be called last: it ends what goes on in the background. */
	@Override
	public void destroy() {
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
