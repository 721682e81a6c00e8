package io.asynq.broker.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.asynq.BrokerException;
import io.asynq.broker.ArrivalBus;
import io.asynq.broker.ArrivalListener;
import io.asynq.broker.Subscription;
import io.asynq.broker.redis.SubscriptionConnections.SubscriptionConnection;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * Has Redis report every write to the keys through which tasks arrive: client-side
 * caching in broadcast mode, redirected to a subscription on the same connection. That
 * needs no setting of the server, and nothing of those who enqueue.
 */
final class RedisArrivalBus implements ArrivalBus {

	private static final String INVALIDATIONS = "__redis__:invalidate";

	private final SubscriptionConnections connections;

	RedisArrivalBus(SubscriptionConnections connections) {
		this.connections = connections;
	}

	@Override
	public @Nullable Subscription subscribe(Collection<String> queues, ArrivalListener listener) {
		Map<String, Consumer<ArrivalListener>> events = new HashMap<>();
		for (String queue : queues) {
			Keys keys = Keys.of(queue);
			Consumer<ArrivalListener> pending = (target) -> target.onPending(queue);
			Consumer<ArrivalListener> delayed = (target) -> target.onDelayed(queue);
			events.put(keys.pending(), pending);
			events.put(keys.paused(), pending);
			events.put(keys.scheduled(), delayed);
			events.put(keys.retry(), delayed);
		}
		List<String> tracked = List.copyOf(events.keySet());
		BurstPause bursts = new BurstPause();
		return new ChannelSubscription(this.connections, INVALIDATIONS, (connection) -> track(connection, tracked),
				listener::onReady, (key) -> {
					Consumer<ArrivalListener> event = events.get(key);
					if (event != null) {
						event.accept(listener);
					}
					bursts.afterMessage();
				});
	}

	/**
	 * Turns tracking on for keys; also other keys that begin like them are told.
	 */
	private static void track(SubscriptionConnection subscription, List<String> keys) {
		if (!subscription.isDedicated()) {
			throw new BrokerException("arrivals are told only over Jedis without a cluster", null);
		}
		RedisConnection connection = subscription.connection();
		Object id = connection.execute("CLIENT", Text.utf8("ID"));
		List<byte[]> args = new ArrayList<>();
		for (String word : List.of("TRACKING", "ON", "REDIRECT", String.valueOf(id), "BCAST")) {
			args.add(Text.utf8(word));
		}
		for (String key : keys) {
			args.add(Text.utf8("PREFIX"));
			args.add(Text.utf8(key));
		}
		connection.execute("CLIENT", args.toArray(byte[][]::new));
	}

}
