package io.asynq.internal.broker;

import io.asynq.internal.arrival.ArrivalSource;
import io.asynq.internal.cancel.CancelChannel;
import io.asynq.internal.check.StoreCheck;
import io.asynq.internal.enqueue.OutboxStore;
import io.asynq.internal.enqueue.TaskEnqueuer;
import io.asynq.internal.fleet.FleetReader;
import io.asynq.internal.fleet.FleetSurvey;
import io.asynq.internal.fleet.ServerRegistry;
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
import io.asynq.internal.schedule.SchedulerStore;
import io.asynq.internal.worker.TaskCompleter;
import io.asynq.internal.worker.TaskDequeuer;
import io.asynq.internal.worker.TaskUpkeep;
import io.asynq.internal.worker.UnhandledStore;

/** The whole store: only assembly sees it all, components take the roles they need. */
public interface Broker {

	TaskEnqueuer enqueuer();

	OutboxStore outbox();

	TaskDequeuer dequeuer();

	TaskCompleter completer();

	TaskUpkeep upkeep();

	UnhandledStore unhandled();

	GroupStore groups();

	SchedulerStore schedulers();

	ServerRegistry servers();

	CancelChannel cancellations();

	ArrivalSource arrivals();

	SemaphoreStore semaphores();

	LimitStore limits();

	LimitReader limitReader();

	QueueReader queues();

	ManyQueues manyQueues();

	WorkFinder work();

	TaskKeeper tasks();

	QueueKeeper queueKeeper();

	FleetReader fleet();

	StoreCheck check();

	TaskSurvey taskSurvey();

	FleetSurvey fleetSurvey();

	StoreSurvey storeSurvey();

}
