package io.asynq.broker.redis.signal;

import java.util.Collection;
import java.util.function.Consumer;

import io.asynq.broker.ArrivalListener;
import io.asynq.broker.ArrivalSubscription;
import io.asynq.broker.Signals;
import io.asynq.broker.Subscription;
import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.Text;
import io.asynq.broker.redis.driver.TrackedConnections;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisNode;

/**
 * Sends and receives task ids on asynq's cancel channel, and has Redis report changes of
 * the keys through which tasks arrive. That needs neither a setting of the Redis server
 * nor the help of clients.
 */
public final class RedisSignals implements Signals {

	private final SubscriptionConnections connections;

	private final @Nullable TrackedConnections tracked;

	private final ScriptRunner scripts;

	/**
	 * Creates the signals.
	 * @param connections for subscriptions
	 * @param tracked for arrivals, {@code null} to subscribe to them
	 */
	public RedisSignals(SubscriptionConnections connections, @Nullable TrackedConnections tracked,
			ScriptRunner scripts) {
		this.connections = connections;
		this.tracked = tracked;
		this.scripts = scripts;
	}

	/**
	 * Returns whether Redis is a cluster, of which a node can be chosen: not where the
	 * driver does that.
	 */
	public boolean choosesNode() {
		return this.connections.choosesNode();
	}

	/** Returns signals that are received from one node of a cluster. */
	public Signals at(RedisNode node) {
		return new RedisSignals(this.connections.at(node), this.tracked, this.scripts);
	}

	@Override
	public void cancel(String taskId) {
		this.scripts.run("PUBLISH", "task '" + taskId + "'",
				(template) -> template.convertAndSend(Keys.CANCEL_CHANNEL, Text.utf8(taskId)));
	}

	@Override
	public Subscription subscribeToCancellations(Runnable onReady, Consumer<String> onCancel) {
		return new ChannelSubscription(this.connections, Keys.CANCEL_CHANNEL, (connection) -> {
		}, onReady, onCancel);
	}

	@Override
	public ArrivalSubscription subscribeToArrivals(Collection<String> queues, ArrivalListener listener) {
		return (this.tracked != null) ? new PushedArrivals(this.tracked, queues, listener)
				: new RedisArrivalSubscription(this.connections, queues, listener);
	}

}
