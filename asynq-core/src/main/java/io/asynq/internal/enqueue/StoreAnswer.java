package io.asynq.internal.enqueue;

import java.util.Optional;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.internal.redis.Refusal;
import io.asynq.internal.redis.TaskMessage;
import org.jspecify.annotations.Nullable;

record StoreAnswer(int code, @Nullable BrokerException error) {

	private static final StoreAnswer STORED = new StoreAnswer(1, null);

	static StoreAnswer of(long code) {
		return (code == 1) ? STORED : new StoreAnswer((int) code, null);
	}

	static StoreAnswer of(BrokerException error) {
		return new StoreAnswer(0, error);
	}

	Optional<AsynqException> refusal(TaskMessage message) {
		return (this.error != null) ? Optional.of(this.error) : Refusal.of(message, this.code);
	}

}
