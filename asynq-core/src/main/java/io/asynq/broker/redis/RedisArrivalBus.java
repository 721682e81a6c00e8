package io.asynq.broker.redis;

import java.util.Collection;

import io.asynq.broker.ArrivalBus;
import io.asynq.broker.ArrivalListener;
import io.asynq.broker.ArrivalSubscription;

/**
 * Has Redis report changes of the keys through which tasks arrive. That needs no setting
 * of the server, and nothing of those who enqueue.
 */
final class RedisArrivalBus implements ArrivalBus {

	private final SubscriptionConnections connections;

	RedisArrivalBus(SubscriptionConnections connections) {
		this.connections = connections;
	}

	@Override
	public ArrivalSubscription subscribe(Collection<String> queues, ArrivalListener listener) {
		return new RedisArrivalSubscription(this.connections, queues, listener);
	}

}
