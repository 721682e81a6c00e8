package io.asynq.spring.boot.test.slice;

import io.asynq.Task;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.handler.TaskInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

@Component
class Numbers implements TaskInterceptor {

	int count;

	@Override
	public byte @Nullable [] intercept(Task task, TaskContext context, TaskHandlerFunction next) throws Exception {
		this.count++;
		return next.processTask(task, context);
	}

}
