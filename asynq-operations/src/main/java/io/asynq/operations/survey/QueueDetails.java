package io.asynq.operations.survey;

import java.util.Map;

import io.asynq.Broker;
import io.asynq.inspect.QueueStats;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.operations.repair.QueueRepair;

/** What the inspector does not tell of queues. */
public final class QueueDetails {

	private final RedisBroker broker;

	private QueueDetails(RedisBroker broker) {
		this.broker = broker;
	}

	public static QueueDetails create(Broker broker) {
		return new QueueDetails(RedisBroker.of(broker));
	}

	/** Counts the tasks of a queue that wait for a handler, by type. */
	public Map<String, Long> unhandled(String queue) {
		return new QueueRepair(this.broker).unhandled(queue);
	}

	/** Counts the tasks of a queue that wait for limits. */
	public long waitingForLimit(String queue) {
		return this.broker.queues().stats(queue).map(QueueStats::waitingForLimit).orElse(0L);
	}

	/** Counts the tasks in the prefetch buffers as of the last heartbeats, by queue. */
	public Map<String, Long> held() {
		return this.broker.fleet().held();
	}

}
