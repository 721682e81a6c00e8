package io.asynq.internal.redis.driver;

import io.lettuce.core.RedisException;

final class NotAnsweredException extends RedisException implements NotAnswered {

	private static final long serialVersionUID = 1;

	NotAnsweredException() {
		super("the connection was lost before the answer came");
	}

	NotAnsweredException(RuntimeException reason) {
		this();
		// No cause: the innermost message is shown, and a cancellation has none
		addSuppressed(reason);
	}

}
