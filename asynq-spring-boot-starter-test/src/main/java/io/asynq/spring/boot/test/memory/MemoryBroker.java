package io.asynq.spring.boot.test.memory;

import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;

import io.asynq.internal.broker.Broker;
import io.asynq.internal.arrival.ArrivalSource;
import io.asynq.internal.cancel.CancelChannel;
import io.asynq.internal.check.StoreCheck;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.NewTask;
import io.asynq.internal.enqueue.OutboxStore;
import io.asynq.internal.enqueue.TaskEnqueuer;
import io.asynq.internal.fleet.FleetReader;
import io.asynq.internal.fleet.FleetSurvey;
import io.asynq.internal.fleet.ServerRegistry;
import io.asynq.internal.group.GroupKeeper;
import io.asynq.internal.group.GroupStore;
import io.asynq.internal.inspect.ManyQueues;
import io.asynq.internal.inspect.QueueKeeper;
import io.asynq.internal.inspect.QueueReader;
import io.asynq.internal.inspect.StoreSurvey;
import io.asynq.internal.inspect.TaskKeeper;
import io.asynq.internal.inspect.TaskSurvey;
import io.asynq.internal.lane.WorkFinder;
import io.asynq.internal.limit.LimitReader;
import io.asynq.internal.limit.LimitStore;
import io.asynq.internal.limit.SemaphoreStore;
import io.asynq.internal.redis.Refusal;
import io.asynq.internal.schedule.SchedulerStore;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.TaskCompleter;
import io.asynq.internal.worker.TaskDequeuer;
import io.asynq.internal.worker.TaskUpkeep;
import io.asynq.internal.worker.UnhandledStore;

/**
 * Keeps tasks in memory, by a clock that tests can move. What it supports it answers as
 * Redis does, which the contracts of the roles prove; what it does not, it refuses by
 * name. It is no server: nothing moves or runs unless it is called. Safe for concurrent
 * use.
 */
public final class MemoryBroker implements Broker {

	private static final String SERVER = "a server that runs";

	private final MemoryStore store;

	private final MemoryEnqueuer enqueuer;

	private final MemoryDequeuer dequeuer;

	private final MemorySemaphores semaphores;

	private final MemoryGroups groups;

	/**
	 * @param listener told of the tasks that one call has stored, after that
	 */
	public MemoryBroker(Clock clock, Consumer<List<EnqueueRequest>> listener) {
		this.store = new MemoryStore(clock);
		this.enqueuer = new MemoryEnqueuer(this.store, listener);
		this.dequeuer = new MemoryDequeuer(this.store);
		this.semaphores = new MemorySemaphores(this.store);
		this.groups = new MemoryGroups(this.store, this.enqueuer);
	}

	/**
	 * Forgets everything.
	 */
	public void clear() {
		synchronized (this.store) {
			this.store.clear();
			this.semaphores.clear();
		}
	}

	/**
	 * Stores a task and takes it at once, whatever waits before it. The listener is not
	 * told.
	 * @throws io.asynq.AsynqException if it is refused
	 */
	public LeasedTask take(EnqueueRequest request) {
		synchronized (this.store) {
			NewTask created = NewTask.of(request);
			Refusal.throwIfAny(created.message(), this.enqueuer.add(created));
			MemoryQueue queue = this.store.queue(request.message().queue());
			StoredTask task = queue.find(request.message().id());
			if (task == null) {
				throw new IllegalStateException("Stored a moment ago");
			}
			return this.dequeuer.take(queue, task);
		}
	}

	/**
	 * Makes everything pending in a queue that is due.
	 */
	public void forwardDue(String queue) {
		boolean more;
		do {
			more = upkeep().forward(queue).more();
		}
		while (more);
	}

	/**
	 * Does what servers do for all queues as time goes by: forwards what is due, and
	 * deletes what has been kept long enough.
	 */
	public void settle() {
		for (String queue : queues().queues()) {
			forwardDue(queue);
			upkeep().deleteExpired(queue, Integer.MAX_VALUE);
		}
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
		return new MemoryCompleter(this.store);
	}

	@Override
	public TaskUpkeep upkeep() {
		return new MemoryUpkeep(this.store);
	}

	@Override
	public TaskKeeper tasks() {
		return new MemoryTaskKeeper(this.store);
	}

	@Override
	public QueueReader queues() {
		return new MemoryQueueReader(this.store);
	}

	@Override
	public QueueKeeper queueKeeper() {
		return new MemoryQueueKeeper(this.store);
	}

	@Override
	public SemaphoreStore semaphores() {
		return this.semaphores;
	}

	@Override
	public SchedulerStore schedulers() {
		return new MemorySchedulers();
	}

	@Override
	public CancelChannel cancellations() {
		return new CancelChannel(null, null, () -> false) {

			@Override
			public void cancel(String taskId) {
				// Reaches the servers that are listening
			}

			@Override
			public void cancel(String queue, String taskId) {
				// As above
			}

		};
	}

	@Override
	public ArrivalSource arrivals() {
		return new ArrivalSource(null, () -> false);
	}

	@Override
	public LimitStore limits() {
		return Unsupported.role(LimitStore.class, "limits over all servers");
	}

	@Override
	public LimitReader limitReader() {
		return new NoLimits();
	}

	@Override
	public UnhandledStore unhandled() {
		return Unsupported.role(UnhandledStore.class, SERVER);
	}

	@Override
	public GroupStore groups() {
		return this.groups;
	}

	@Override
	public GroupKeeper groupKeeper() {
		return Unsupported.role(GroupKeeper.class, "what an aggregation has left behind");
	}

	@Override
	public ServerRegistry servers() {
		return Unsupported.role(ServerRegistry.class, SERVER);
	}

	@Override
	public ManyQueues manyQueues() {
		return new MemoryManyQueues(new MemoryQueueReader(this.store));
	}

	@Override
	public WorkFinder work() {
		return Unsupported.role(WorkFinder.class, SERVER);
	}

	@Override
	public FleetReader fleet() {
		return Unsupported.role(FleetReader.class, "what servers, schedulers and cluster nodes there are");
	}

	@Override
	public OutboxStore outbox() {
		return Unsupported.role(OutboxStore.class, "the outbox");
	}

	@Override
	public StoreCheck check() {
		return Unsupported.role(StoreCheck.class, "the check of Redis at the start");
	}

	@Override
	public TaskSurvey taskSurvey() {
		return Unsupported.role(TaskSurvey.class, "searches");
	}

	@Override
	public FleetSurvey fleetSurvey() {
		return Unsupported.role(FleetSurvey.class, SERVER);
	}

	@Override
	public StoreSurvey storeSurvey() {
		return Unsupported.role(StoreSurvey.class, "what Redis tells of itself");
	}

}
