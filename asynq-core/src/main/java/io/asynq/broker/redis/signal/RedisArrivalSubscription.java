package io.asynq.broker.redis.signal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.ArrivalListener;
import io.asynq.broker.ArrivalSubscription;
import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.LuaScript;
import io.asynq.broker.redis.ScriptRunner;
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
		this.channel = new ChannelSubscription(connections, INVALIDATIONS, this::track, listener::onReady, (key) -> {
			Consumer<ArrivalListener> event = events.get(key);
			if (event != null) {
				event.accept(listener);
			}
		});
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
		List<String> names = List.copyOf(queues);
		List<String> keys = new ArrayList<>(2 * names.size());
		for (String queue : names) {
			keys.add(Keys.of(queue).pending());
			keys.add(Keys.of(queue).paused());
		}
		List<?> answer;
		synchronized (this.reading) {
			answer = ScriptRunner.runOver(connection(), LuaScript.WATCH_PENDING, "queues " + names, keys);
		}
		Set<String> ready = new HashSet<>();
		for (int i = 0; i < names.size(); i++) {
			if ((Long) answer.get(i) == 1) {
				ready.add(names.get(i));
			}
		}
		return ready;
	}

	@Override
	public void watchDelayed(Collection<String> queues) {
		List<String> names = List.copyOf(queues);
		byte[][] keys = names.stream()
			.map(Keys::of)
			.flatMap((queue) -> Stream.of(queue.scheduled(), queue.retry()))
			.map(Text::utf8)
			.toArray(byte[][]::new);
		synchronized (this.reading) {
			RedisConnection connection = connection();
			ScriptRunner.call("EXISTS", "queues " + names, () -> connection.execute("EXISTS", keys));
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
			throw new BrokerException("arrivals are reported only over Jedis without a cluster", null);
		}
		Object id = subscriber.connection().execute("CLIENT", Text.utf8("ID"));
		SubscriptionConnection opened = this.connections.open();
		this.reader = opened;
		opened.connection()
			.execute("CLIENT", Text.utf8("TRACKING"), Text.utf8("ON"), Text.utf8("REDIRECT"),
					Text.utf8(String.valueOf(id)));
	}

}
