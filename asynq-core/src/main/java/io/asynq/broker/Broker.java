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

	CompletedTaskCleaner completedTasks();

	ServerRegistry servers();

	CancellationBus cancellations();

	ArrivalBus arrivals();

	QueueReader queues();

	TaskReader tasks();

	ResultStore results();

	GroupKeeper groups();

	ConsistencyChecker consistency();

}
