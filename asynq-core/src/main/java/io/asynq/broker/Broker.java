package io.asynq.broker;

import io.asynq.broker.check.StoreCheck;
import io.asynq.broker.limit.LimitReader;
import io.asynq.broker.limit.LimitStore;
import io.asynq.broker.outbox.OutboxStore;
import io.asynq.broker.survey.FleetSurvey;
import io.asynq.broker.survey.StoreSurvey;
import io.asynq.broker.survey.TaskSurvey;
import io.asynq.broker.work.UnhandledStore;
import io.asynq.broker.work.WorkFinder;

/** The whole store: only assembly sees it all, components take the roles they need. */
public interface Broker {

	TaskEnqueuer enqueuer();

	OutboxStore outbox();

	TaskDequeuer dequeuer();

	TaskCompleter completer();

	TaskUpkeep upkeep();

	UnhandledStore unhandled();

	GroupStore groups();

	GroupKeeper groupKeeper();

	SchedulerStore schedulers();

	ServerRegistry servers();

	Signals signals();

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
