package io.asynq.sample;

import java.util.concurrent.atomic.LongAdder;

import io.asynq.Task;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.handler.TaskInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * An interceptor that counts retries of all handlers.
 */
@Component
class RetryCounter implements TaskInterceptor {

	private final LongAdder retries = new LongAdder();

	@Override
	public byte @Nullable [] intercept(Task task, TaskContext context, TaskHandlerFunction next) throws Exception {
		if (context.retryCount() > 0) {
			this.retries.increment();
		}
		return next.processTask(task, context);
	}

	long count() {
		return this.retries.sum();
	}

}
