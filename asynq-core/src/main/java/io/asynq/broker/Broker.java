package io.asynq.broker;

/**
 * Everything the queue needs from its store, by role, so that each component sees only
 * what it uses. Safe for concurrent use.
 */
public interface Broker {

	TaskEnqueuer enqueuer();

	TaskDequeuer dequeuer();

	TaskCompleter completer();

	TaskForwarder forwarder();

	LeaseKeeper leases();

	AttemptKeeper attempts();

	CompletedTaskCleaner completedTasks();

	ServerRegistry servers();

	SchedulerRegistry schedulers();

	FireStore fires();

	CancellationBus cancellations();

	ArrivalBus arrivals();

	QueueReader queues();

	TaskReader tasks();

	ResultStore results();

	GroupKeeper groups();

	SemaphoreStore semaphores();

	QueueTurns turns();

	GroupStore groupStore();

	AggregatorKeeper aggregators();

	ConsistencyChecker consistency();

	TaskLister taskLists();

	TaskMover mover();

	QueueKeeper queueKeeper();

	FleetReader fleet();

	ClusterReader cluster();

	/**
	 * Returns whether queues lie on different servers, so that one queue may be out of
	 * reach while others are not.
	 * @return whether they do, as far as it is known by now
	 */
	boolean isPartitioned();

}
