package io.asynq.internal.cancel;

import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.asynq.internal.arrival.ArrivalListener;
import io.asynq.internal.arrival.ArrivalSubscription;
import io.asynq.internal.arrival.PushedArrivals;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.Subscription;
import io.asynq.internal.redis.UsableRedis;
import io.asynq.internal.redis.driver.SubscriptionConnections;
import io.asynq.internal.redis.driver.TrackedConnections;

/** Redis itself reports arrivals, without a setting of the server or help of clients. */
public final class RedisSignals implements Signals {

	private final SubscriptionConnections connections;

	private final TrackedConnections tracked;

	private final ScriptRunner scripts;

	private final BooleanSupplier spread;

	private final boolean ofNode;

	/** {@code spread} asks the server's connections, which end when it stops. */
	public RedisSignals(SubscriptionConnections connections, TrackedConnections tracked, ScriptRunner scripts,
			BooleanSupplier spread) {
		this(connections, tracked, scripts, spread, false);
	}

	private RedisSignals(SubscriptionConnections connections, TrackedConnections tracked, ScriptRunner scripts,
			BooleanSupplier spread, boolean ofNode) {
		this.connections = connections;
		this.tracked = tracked;
		this.scripts = scripts;
		this.spread = spread;
		this.ofNode = ofNode;
	}

	/** Not where the driver chooses the node itself. */
	public boolean choosesNode() {
		return this.connections.choosesNode();
	}

	@Override
	public void cancel(String taskId) {
		if (!this.scripts.seesCluster()) {
			tell(taskId, Keys.check(Keys.CHECK_TAGS.get(0)));
			return;
		}
		// Any node tells all others, but it is not known where the task is
		UsableRedis.onAnyMaster("the cancellation of task '" + taskId + "'", (tag) -> tell(taskId, Keys.check(tag)));
	}

	@Override
	public void cancel(String queue, String taskId) {
		tell(taskId, Keys.of(queue).cancelled());
	}

	private void tell(String taskId, String key) {
		this.scripts.runLong(LuaScript.SIGNAL_CANCEL, "task '" + taskId + "'", List.of(key), Keys.CANCEL_CHANNEL,
				taskId);
	}

	@Override
	public Subscription subscribeToCancellations(Runnable onReady, Consumer<String> onCancel) {
		return new ChannelSubscription(this.connections, Keys.CANCEL_CHANNEL, (connection) -> {
		}, onReady, onCancel);
	}

	@Override
	public ArrivalSubscription subscribeToArrivals(Collection<String> queues, ArrivalListener listener) {
		return new PushedArrivals(this.tracked, this.ofNode, queues, listener);
	}

	@Override
	public boolean areSpread() {
		return this.spread.getAsBoolean();
	}

	@Override
	public Signals at(String node) {
		return new RedisSignals(this.connections.at(node), this.tracked.at(node), this.scripts, this.spread, true);
	}

}
