package io.asynq.internal.cancel;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.Subscription;
import io.asynq.internal.redis.UsableRedis;
import io.asynq.internal.redis.driver.SubscriptionConnections;

/** Best effort: reaches only the servers that are listening at this moment. */
public final class CancelChannel {

	private final SubscriptionConnections connections;

	private final ScriptRunner scripts;

	private final BooleanSupplier spread;

	/** {@code spread} asks the server's connections, which end when it stops. */
	public CancelChannel(SubscriptionConnections connections, ScriptRunner scripts, BooleanSupplier spread) {
		this.connections = connections;
		this.scripts = scripts;
		this.spread = spread;
	}

	public void cancel(String taskId) {
		if (!this.scripts.seesCluster()) {
			tell(taskId, Keys.check(Keys.CHECK_TAGS.get(0)));
			return;
		}
		// Any node tells all others, but it is not known where the task is
		UsableRedis.onAnyMaster("the cancellation of task '" + taskId + "'", (tag) -> tell(taskId, Keys.check(tag)));
	}

	/** Sent from the master of the task's queue. */
	public void cancel(String queue, String taskId) {
		tell(taskId, Keys.of(queue).cancelled());
	}

	/** On a cluster what one node passes on; {@code onCancel} must not block. */
	public Subscription subscribe(Runnable onReady, Consumer<String> onCancel) {
		return new ChannelSubscription(this.connections, onReady, onCancel);
	}

	/** Several masters serve the queues; may ask Redis. */
	public boolean areSpread() {
		return this.spread.getAsBoolean();
	}

	/** Only then can {@link #at} be asked. */
	public boolean choosesNode() {
		return this.connections.choosesNode();
	}

	public CancelChannel at(String node) {
		return new CancelChannel(this.connections.at(node), this.scripts, this.spread);
	}

	private void tell(String taskId, String key) {
		this.scripts.runLong(LuaScript.SIGNAL_CANCEL, "task '" + taskId + "'", List.of(key), Keys.CANCEL_CHANNEL,
				taskId);
	}

}
