package io.asynq.broker.redis.signal;

import java.util.Collection;
import java.util.Set;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.ArrivalListener;
import io.asynq.broker.ArrivalSubscription;
import io.asynq.broker.redis.Text;
import io.asynq.broker.redis.signal.SubscriptionConnections.SubscriptionConnection;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * Uses client-side caching: Redis remembers which keys a connection has read, and reports
 * their next change, once, to another connection that subscribes. Broadcast mode would
 * need no reads, but costs Redis time for each write, by the number of queues, and a
 * message for each dequeue.
 */
final class RedisArrivalSubscription implements ArrivalSubscription {

	private static final String INVALIDATIONS = "__redis__:invalidate";

	private final SubscriptionConnections connections;

	private final ChannelSubscription channel;

	/** Serializes what is sent over the reading connection. */
	private final Object reading = new Object();

	private volatile @Nullable SubscriptionConnection reader;

	RedisArrivalSubscription(SubscriptionConnections connections, Collection<String> queues, ArrivalListener listener) {
		this.connections = connections;
		WatchedKeys keys = new WatchedKeys(queues, listener);
		this.channel = new ChannelSubscription(connections, INVALIDATIONS, this::track, listener::onReady,
				keys::changed);
	}

	@Override
	public void listen() {
		try {
			this.channel.listen();
		}
		finally {
			SubscriptionConnection last = this.reader;
			this.reader = null;
			if (last != null) {
				last.close();
			}
		}
	}

	@Override
	public void close() {
		this.channel.close();
	}

	@Override
	public Set<String> watchPending(Collection<String> queues) {
		synchronized (this.reading) {
			return WatchedKeys.readPending(connection(), queues);
		}
	}

	@Override
	public void watchDelayed(Collection<String> queues) {
		synchronized (this.reading) {
			WatchedKeys.readDelayed(connection(), queues);
		}
	}

	private RedisConnection connection() {
		SubscriptionConnection present = this.reader;
		if (present == null) {
			throw new BrokerUnavailableException("Arrivals are not listened to", null);
		}
		return present.connection();
	}

	private void track(SubscriptionConnection subscriber) {
		if (!subscriber.seesEveryKey()) {
			throw new BrokerException(
					"arrivals are not reported over such connections, only over a factory of Jedis or Lettuce without a cluster",
					null);
		}
		Object id = subscriber.connection().execute("CLIENT", Text.utf8("ID"));
		SubscriptionConnection opened = this.connections.open();
		this.reader = opened;
		opened.connection()
			.execute("CLIENT", Text.utf8("TRACKING"), Text.utf8("ON"), Text.utf8("REDIRECT"),
					Text.utf8(String.valueOf(id)));
	}

}
