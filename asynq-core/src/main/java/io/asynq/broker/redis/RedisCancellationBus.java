package io.asynq.broker.redis;

import java.util.function.Consumer;

import io.asynq.broker.CancellationBus;
import io.asynq.broker.Subscription;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Sends and receives task ids on asynq's cancel channel (protocol 7.6).
 */
final class RedisCancellationBus implements CancellationBus {

	private final RedisConnectionFactory factory;

	private final ScriptRunner scripts;

	RedisCancellationBus(RedisConnectionFactory factory, ScriptRunner scripts) {
		this.factory = factory;
		this.scripts = scripts;
	}

	@Override
	public void publish(String taskId) {
		this.scripts.run("PUBLISH", "task '" + taskId + "'",
				(template) -> template.convertAndSend(Keys.CANCEL_CHANNEL, Text.utf8(taskId)));
	}

	@Override
	public Subscription subscribe(Runnable onReady, Consumer<String> onCancel) {
		return new ChannelSubscription(this.factory, Keys.CANCEL_CHANNEL, ChannelSubscription.ConnectionSetup.NONE,
				onReady, onCancel);
	}

}
