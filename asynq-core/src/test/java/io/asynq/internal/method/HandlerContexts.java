package io.asynq.internal.method;

import java.time.Duration;

import io.asynq.Task;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskMux;
import org.jspecify.annotations.Nullable;
import org.mockito.BDDMockito;
import org.mockito.Mockito;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * Application contexts with handler methods.
 */
final class HandlerContexts {

	/** The context of a task with retention, whose result is kept. */
	static final TaskContext CONTEXT = context(Duration.ofHours(1));

	private HandlerContexts() {
	}

	/**
	 * Starts a context that finds annotated methods.
	 */
	static AnnotationConfigApplicationContext start(Class<?>... classes) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(AnnotatedMethodBeans.class);
		for (Class<?> type : classes) {
			context.register(type);
		}
		context.refresh();
		return context;
	}

	static TaskContext context(Duration retention) {
		TaskContext context = Mockito.mock(TaskContext.class);
		BDDMockito.given(context.retention()).willReturn(retention);
		BDDMockito.given(context.taskId()).willReturn("t1");
		BDDMockito.given(context.queue()).willReturn("low");
		return context;
	}

	static @Nullable String process(AnnotationConfigApplicationContext context, Task task) throws Exception {
		byte[] result = context.getBean(TaskMux.class).processTask(task, CONTEXT);
		return (result != null) ? new String(result) : null;
	}

}
