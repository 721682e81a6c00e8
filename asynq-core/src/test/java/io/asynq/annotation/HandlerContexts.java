package io.asynq.annotation;

import io.asynq.Task;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskMux;
import org.jspecify.annotations.Nullable;
import org.mockito.Mockito;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * Application contexts that have handler methods.
 */
final class HandlerContexts {

	static final TaskContext CONTEXT = Mockito.mock(TaskContext.class);

	private HandlerContexts() {
	}

	/**
	 * Starts a context with {@link EnableAsynq}.
	 * @param classes its beans
	 * @return the context
	 */
	static AnnotationConfigApplicationContext start(Class<?>... classes) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(AsynqConfiguration.class);
		for (Class<?> type : classes) {
			context.register(type);
		}
		context.refresh();
		return context;
	}

	static @Nullable String process(AnnotationConfigApplicationContext context, Task task) throws Exception {
		byte[] result = context.getBean(TaskMux.class).processTask(task, CONTEXT);
		return (result != null) ? new String(result) : null;
	}

}
