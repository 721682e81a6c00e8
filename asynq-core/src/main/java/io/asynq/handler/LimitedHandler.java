package io.asynq.handler;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.Task;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Passes on tasks that get a token of a semaphore, and postpones the others by 1 to 5 s.
 */
final class LimitedHandler implements TaskHandlerFunction {

	private static final Logger logger = OneLineLogger.of(LimitedHandler.class);

	private final TaskHandlerFunction handler;

	private final TaskSemaphore semaphore;

	LimitedHandler(TaskHandlerFunction handler, TaskSemaphore semaphore) {
		this.handler = handler;
		this.semaphore = semaphore;
	}

	@Override
	public byte @Nullable [] processTask(Task task, TaskContext context) throws Exception {
		if (!hasToken(task, context)) {
			// The time at which the task is due is rounded up to a whole second later
			throw new PostponeTaskException(Duration.ofMillis(ThreadLocalRandom.current().nextLong(1000, 4001)));
		}
		try {
			return this.handler.processTask(task, context);
		}
		finally {
			release(task, context);
		}
	}

	private boolean hasToken(Task task, TaskContext context) {
		try {
			return this.semaphore.tryAcquire(context);
		}
		catch (BrokerException ex) {
			logger.warn("Task {} ({}) in queue {} is postponed because no token of {} could be requested: {}",
					context.taskId(), task.type(), context.queue(), this.semaphore, ex.getMessage());
			return false;
		}
	}

	private void release(Task task, TaskContext context) {
		// An interrupted thread cannot wait for a connection from a pool
		boolean interrupted = Thread.interrupted();
		try {
			this.semaphore.release(context);
		}
		catch (BrokerException ex) {
			logger.warn("Task {} ({}) in queue {} could not release its token of {}: {}", context.taskId(), task.type(),
					context.queue(), this.semaphore, ex.getMessage());
		}
		catch (AsynqException ex) {
			logger.debug("The deadline has passed, or a later attempt has taken over: {}", ex.getMessage());
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
