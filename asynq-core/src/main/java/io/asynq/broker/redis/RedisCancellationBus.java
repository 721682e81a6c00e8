package io.asynq.broker.redis;

import java.util.function.Consumer;

import io.asynq.broker.CancellationBus;
import io.asynq.broker.Subscription;

/**
 * Sends and receives task ids on asynq's cancel channel (protocol 7.6).
 */
final class RedisCancellationBus implements CancellationBus {

	private final SubscriptionConnections connections;

	private final ScriptRunner scripts;

	RedisCancellationBus(SubscriptionConnections connections, ScriptRunner scripts) {
		this.connections = connections;
		this.scripts = scripts;
	}

	@Override
	public void publish(String taskId) {
		this.scripts.run("PUBLISH", "task '" + taskId + "'",
				(template) -> template.convertAndSend(Keys.CANCEL_CHANNEL, Text.utf8(taskId)));
	}

	@Override
	public Subscription subscribe(Runnable onReady, Consumer<String> onCancel) {
		return new ChannelSubscription(this.connections, Keys.CANCEL_CHANNEL, (connection) -> {
		}, onReady, onCancel);
	}

}
