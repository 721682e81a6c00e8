package io.asynq.spring.boot.test.whole;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.asynq.EnqueueInterceptor;
import io.asynq.OutgoingTask;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.event.TaskEvent;
import io.asynq.event.TaskListener;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskErrorHandler;
import io.asynq.schedule.SchedulerListener;
import io.asynq.server.TaskWaitListener;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.TaskDecorator;
import org.springframework.stereotype.Component;

/**
 * Everything that may surround tasks; writes down what it is told.
 */
@Component
class Journal implements TaskDecorator, TaskErrorHandler, TaskListener, TaskWaitListener, EnqueueInterceptor,
		SchedulerListener {

	final List<String> lines = new CopyOnWriteArrayList<>();

	final Set<Thread> threadsOfListeners = ConcurrentHashMap.newKeySet();

	void add(String line) {
		this.lines.add(line);
	}

	@Override
	public Runnable decorate(Runnable attempt) {
		return () -> {
			add("decorated");
			attempt.run();
			add("undecorated");
		};
	}

	@Override
	public void handleError(Task task, TaskContext context, Throwable error) {
		add("error " + error.getMessage());
	}

	@Override
	public void onTaskEvent(TaskEvent event) {
		this.threadsOfListeners.add(Thread.currentThread());
		add(event.getClass().getSimpleName() + " " + event.facts().type());
	}

	@Override
	public void onTaskTaken(String queue, Duration waited) {
		add("taken from " + queue);
	}

	@Override
	public void beforeEnqueue(OutgoingTask task) {
		task.header("branch", "north");
	}

	@Override
	public void beforeEnqueue(String entryId, Task task, TaskOptions options) {
		add("before " + entryId);
	}

	@Override
	public void afterEnqueue(String entryId, @Nullable TaskInfo info, @Nullable Exception error) {
		add("after " + entryId);
	}

}
