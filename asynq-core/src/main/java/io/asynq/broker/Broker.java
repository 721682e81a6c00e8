package io.asynq.broker;

import io.asynq.broker.check.StoreCheck;

/**
 * Everything asynq needs from its store, split into roles by user. Only assembly sees
 * them all; components take the roles they need. Safe for concurrent use.
 */
public interface Broker {

	TaskEnqueuer enqueuer();

	TaskDequeuer dequeuer();

	TaskCompleter completer();

	TaskUpkeep upkeep();

	GroupStore groups();

	GroupKeeper groupKeeper();

	SchedulerStore schedulers();

	ServerRegistry servers();

	Signals signals();

	SemaphoreStore semaphores();

	QueueTurns turns();

	QueueReader queues();

	ManyQueues manyQueues();

	TaskKeeper tasks();

	QueueKeeper queueKeeper();

	FleetReader fleet();

	StoreCheck check();

}
