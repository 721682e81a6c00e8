package io.asynq.test;

import java.lang.reflect.Proxy;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.asynq.TaskInfo;
import io.asynq.broker.ArrivalBus;
import io.asynq.broker.AggregatorKeeper;
import io.asynq.broker.AttemptKeeper;
import io.asynq.broker.Broker;
import io.asynq.broker.CancellationBus;
import io.asynq.broker.ClusterReader;
import io.asynq.broker.CompletedTaskCleaner;
import io.asynq.broker.ConsistencyChecker;
import io.asynq.broker.DailyStats;
import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.EnqueueResult;
import io.asynq.broker.EnqueueStatus;
import io.asynq.broker.FireStore;
import io.asynq.broker.FleetReader;
import io.asynq.broker.GroupInfo;
import io.asynq.broker.GroupKeeper;
import io.asynq.broker.GroupStore;
import io.asynq.broker.Inconsistency;
import io.asynq.broker.LeaseKeeper;
import io.asynq.broker.QueueKeeper;
import io.asynq.broker.QueueReader;
import io.asynq.broker.QueueStats;
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
import org.jspecify.annotations.Nullable;

/**
 * A broker without a store, for what is decided before and after Redis: it keeps what it
 * is sent and answers what it is told to. It has the roles of clients and inspectors.
 */
public final class FakeBroker implements Broker {

	/** What was to be stored. */
	public final List<EnqueueRequest> requests = new CopyOnWriteArrayList<>();

	/** The answer to each request. */
	public Function<EnqueueRequest, EnqueueResult> answer = (request) -> EnqueueResult.of(EnqueueStatus.ENQUEUED);

	/** The queues there are. */
	public final Map<String, QueueStats> stats = new HashMap<>();

	/** The tasks there are, by queue and id. */
	public final Map<List<String>, TaskInfo> taskInfos = new HashMap<>();

	/** What is wrong in queues. */
	public ConsistencyChecker consistency = new SoundQueues();

	/** Where tokens are. */
	public @Nullable SemaphoreStore semaphores;

	/** What schedulers wrote. */
	public final FakeScheduling scheduling = new FakeScheduling(this);

	/** Lists tasks. */
	public TaskLister lister = refusing(TaskLister.class);

	/** Moves tasks. */
	public TaskMover mover = refusing(TaskMover.class);

	/** Pauses and deletes queues. */
	public QueueKeeper queueKeeper = refusing(QueueKeeper.class);

	/** Hears what is to be cancelled. */
	public CancellationBus cancellations = refusing(CancellationBus.class);

	/** How often a role was called. */
	public final AtomicInteger calls = new AtomicInteger();

	/**
	 * Returns the last request.
	 * @return the request
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
	public TaskReader tasks() {
		return (queue, id) -> Optional.ofNullable(this.taskInfos.get(List.of(queue, id)));
	}

	@Override
	public TaskDequeuer dequeuer() {
		throw new UnsupportedOperationException();
	}

	@Override
	public TaskCompleter completer() {
		throw new UnsupportedOperationException();
	}

	@Override
	public TaskForwarder forwarder() {
		throw new UnsupportedOperationException();
	}

	@Override
	public LeaseKeeper leases() {
		throw new UnsupportedOperationException();
	}

	@Override
	public AggregatorKeeper aggregators() {
		throw new UnsupportedOperationException();
	}

	@Override
	public AttemptKeeper attempts() {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletedTaskCleaner completedTasks() {
		throw new UnsupportedOperationException();
	}

	@Override
	public ServerRegistry servers() {
		throw new UnsupportedOperationException();
	}

	@Override
	public SchedulerRegistry schedulers() {
		return this.scheduling;
	}

	@Override
	public FireStore fires() {
		return this.scheduling;
	}

	@Override
	public CancellationBus cancellations() {
		return this.cancellations;
	}

	@Override
	public ArrivalBus arrivals() {
		throw new UnsupportedOperationException();
	}

	@Override
	public ResultStore results() {
		throw new UnsupportedOperationException();
	}

	@Override
	public GroupKeeper groups() {
		throw new UnsupportedOperationException();
	}

	@Override
	public SemaphoreStore semaphores() {
		return Objects.requireNonNull(this.semaphores);
	}

	@Override
	public QueueTurns turns() {
		throw new UnsupportedOperationException();
	}

	@Override
	public GroupStore groupStore() {
		throw new UnsupportedOperationException();
	}

	@Override
	public ConsistencyChecker consistency() {
		return new Consistency();
	}

	@Override
	public TaskLister taskLists() {
		return this.lister;
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
		throw new UnsupportedOperationException();
	}

	@Override
	public ClusterReader cluster() {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean isPartitioned() {
		return false;
	}

	private static <T> T refusing(Class<T> role) {
		return role
			.cast(Proxy.newProxyInstance(role.getClassLoader(), new Class<?>[] { role }, (proxy, method, arguments) -> {
				throw new UnsupportedOperationException(role.getSimpleName() + "." + method.getName());
			}));
	}

	private final class Enqueuer implements TaskEnqueuer {

		@Override
		public EnqueueStatus enqueue(EnqueueRequest request) {
			EnqueueResult result = enqueueAll(List.of(request)).get(0);
			if (result.status() == null) {
				throw Objects.requireNonNull(result.error());
			}
			return result.status();
		}

		@Override
		public List<EnqueueResult> enqueueAll(List<EnqueueRequest> all) {
			FakeBroker.this.calls.incrementAndGet();
			FakeBroker.this.requests.addAll(all);
			return all.stream().map(FakeBroker.this.answer).toList();
		}

	}

	private final class Queues implements QueueReader {

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
		public long memoryUsage(String queue) {
			return 42;
		}

		@Override
		public void ping() {
			FakeBroker.this.calls.incrementAndGet();
		}

	}

	private final class Consistency implements ConsistencyChecker {

		@Override
		public void check(String queue, Consumer<Inconsistency> found) {
			FakeBroker.this.consistency.check(queue, found);
		}

		@Override
		public boolean repair(Inconsistency inconsistency) {
			return FakeBroker.this.consistency.repair(inconsistency);
		}

	}

	private static final class SoundQueues implements ConsistencyChecker {

		@Override
		public void check(String queue, Consumer<Inconsistency> found) {
		}

		@Override
		public boolean repair(Inconsistency inconsistency) {
			return false;
		}

	}

}
