package io.asynq.test;

import java.time.Clock;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.asynq.AsynqException;
import io.asynq.inspect.DailyStats;
import io.asynq.inspect.GroupInfo;
import io.asynq.inspect.Listing;
import io.asynq.inspect.QueueStats;
import io.asynq.internal.arrival.ArrivalSource;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.cancel.CancelChannel;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.OutboxStore;
import io.asynq.internal.enqueue.TaskEnqueuer;
import io.asynq.internal.fleet.FleetReader;
import io.asynq.internal.fleet.ServerRegistry;
import io.asynq.internal.group.GroupStore;
import io.asynq.internal.inspect.ManyQueues;
import io.asynq.internal.inspect.QueueKeeper;
import io.asynq.internal.inspect.QueueReader;
import io.asynq.internal.inspect.TaskKeeper;
import io.asynq.internal.lane.WorkFinder;
import io.asynq.internal.limit.LimitReader;
import io.asynq.internal.limit.LimitStore;
import io.asynq.internal.limit.SemaphoreStore;
import io.asynq.internal.redis.ServerConnections;
import io.asynq.internal.schedule.SchedulerStore;
import io.asynq.internal.worker.TaskCompleter;
import io.asynq.internal.worker.TaskDequeuer;
import io.asynq.internal.worker.TaskUpkeep;
import io.asynq.internal.worker.UnhandledStore;
import org.jspecify.annotations.Nullable;
import org.mockito.Mockito;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A broker without a store, for logic before and after Redis: it records requests and
 * returns scripted answers. A role without a fake throws.
 */
public final class FakeBroker extends RedisBroker {

	private static final RedisConnectionFactory NOWHERE = refusing(RedisConnectionFactory.class);

	/** The enqueued requests. */
	public final List<EnqueueRequest> requests = new CopyOnWriteArrayList<>();

	/** Returns the error that refuses a request. */
	public Function<EnqueueRequest, Optional<AsynqException>> answer = (request) -> Optional.empty();

	/** The existing queues. */
	public final Map<String, QueueStats> stats = new HashMap<>();

	/** What schedulers wrote. */
	public final FakeScheduling scheduling = new FakeScheduling(this);

	/** Reads, lists and moves tasks. */
	public TaskKeeper tasks = refusing(TaskKeeper.class);

	/** Pauses, deletes and mends queues. */
	public QueueKeeper queueKeeper = new FakeQueueKeeper();

	/** Acquires and releases tokens. */
	public SemaphoreStore semaphores = refusing(SemaphoreStore.class);

	/** The number of tasks that might go together with those of other threads. */
	public final AtomicInteger shared = new AtomicInteger();

	/** The number of calls of a role. */
	public final AtomicInteger calls = new AtomicInteger();

	public FakeBroker() {
		super(NOWHERE, new ServerConnections(NOWHERE, ServerConnections.Source.OWN), Clock.systemUTC(),
				DEFAULT_LEASE_DURATION, (broken) -> {
				});
	}

	/**
	 * Returns the last request.
	 */
	public EnqueueRequest lastRequest() {
		return this.requests.get(this.requests.size() - 1);
	}

	@Override
	public TaskEnqueuer enqueuer() {
		return new Enqueuer();
	}

	@Override
	public QueueReader queues() {
		return new Queues();
	}

	@Override
	public ManyQueues manyQueues() {
		return refusing(ManyQueues.class);
	}

	@Override
	public WorkFinder work() {
		return new WorkFinder(null, null);
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
	public SchedulerStore schedulers() {
		return this.scheduling;
	}

	@Override
	public SemaphoreStore semaphores() {
		return this.semaphores;
	}

	@Override
	public OutboxStore outbox() {
		return refusing(OutboxStore.class);
	}

	@Override
	public TaskDequeuer dequeuer() {
		return refusing(TaskDequeuer.class);
	}

	@Override
	public TaskCompleter completer() {
		return refusing(TaskCompleter.class);
	}

	@Override
	public TaskUpkeep upkeep() {
		return refusing(TaskUpkeep.class);
	}

	@Override
	public UnhandledStore unhandled() {
		return refusing(UnhandledStore.class);
	}

	@Override
	public GroupStore groups() {
		return refusing(GroupStore.class);
	}

	@Override
	public ServerRegistry servers() {
		return refusing(ServerRegistry.class, Map.of("isPartitioned", false));
	}

	@Override
	public CancelChannel cancellations() {
		return new CancelChannel(null, null, () -> false);
	}

	@Override
	public ArrivalSource arrivals() {
		return new ArrivalSource(null, () -> false);
	}

	@Override
	public LimitStore limits() {
		return refusing(LimitStore.class);
	}

	@Override
	public LimitReader limitReader() {
		return new FakeLimits();
	}

	@Override
	public FleetReader fleet() {
		return refusing(FleetReader.class, Map.of("held", Map.of(), "areSpread", false));
	}

	/**
	 * Creates a role whose methods all throw.
	 */
	public static <T> T refusing(Class<T> role) {
		return refusing(role, Map.of());
	}

	/**
	 * Creates a role that has some answers, and whose other methods throw.
	 * @param answers by the names of methods
	 */
	private static <T> T refusing(Class<T> role, Map<String, ?> answers) {
		return Mockito.mock(role, Mockito.withSettings().stubOnly().defaultAnswer((call) -> {
			String method = call.getMethod().getName();
			if (answers.containsKey(method)) {
				return answers.get(method);
			}
			throw new UnsupportedOperationException(role.getSimpleName() + "." + method);
		}));
	}

	private final class Enqueuer implements TaskEnqueuer {

		@Override
		public void enqueue(EnqueueRequest request) {
			enqueueAll(List.of(request)).get(0).ifPresent((error) -> {
				throw error;
			});
		}

		@Override
		public void enqueueShared(EnqueueRequest request) {
			FakeBroker.this.shared.incrementAndGet();
			enqueue(request);
		}

		@Override
		public List<Optional<AsynqException>> enqueueAll(List<EnqueueRequest> all) {
			FakeBroker.this.calls.incrementAndGet();
			FakeBroker.this.requests.addAll(all);
			return all.stream().map(FakeBroker.this.answer).toList();
		}

		@Override
		public void ping() {
			FakeBroker.this.calls.incrementAndGet();
		}

	}

	private final class Queues extends QueueReader {

		Queues() {
			super(null, null, null);
		}

		@Override
		public Set<String> queues() {
			return FakeBroker.this.stats.keySet();
		}

		@Override
		public Optional<QueueStats> stats(String queue) {
			return Optional.ofNullable(FakeBroker.this.stats.get(queue));
		}

		@Override
		public boolean exists(String queue) {
			return FakeBroker.this.stats.containsKey(queue);
		}

		@Override
		public List<DailyStats> history(String queue, LocalDate last, int days) {
			return IntStream.range(0, days).mapToObj((i) -> new DailyStats(queue, last.minusDays(i), i, 0)).toList();
		}

		@Override
		public List<GroupInfo> groups(String queue) {
			return List.of(new GroupInfo("g", 1));
		}

		@Override
		public Listing<GroupInfo> groups(String queue, @Nullable String cursor, int size) {
			return new Listing<>(groups(queue), null);
		}

		@Override
		public long groupSize(String queue, String group) {
			return 1;
		}

		@Override
		public long memoryUsage(String queue) {
			return 42;
		}

		@Override
		public void ping() {
			FakeBroker.this.calls.incrementAndGet();
		}

	}

}
