package io.asynq.handler;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.PostponeTaskException;
import io.asynq.Task;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Works on tasks that hold a token of a semaphore, and postpones the others by 1 to 5 s.
 */
final class LimitedHandler implements AsynqHandler {

	private static final Logger logger = OneLineLogger.of(LimitedHandler.class);

	private final AsynqHandler handler;

	private final TaskSemaphore semaphore;

	LimitedHandler(AsynqHandler handler, TaskSemaphore semaphore) {
		this.handler = handler;
		this.semaphore = semaphore;
	}

	@Override
	public byte @Nullable [] processTask(Task task, TaskContext context) throws Exception {
		if (!hasToken(context)) {
			// Its end is rounded up to whole seconds on its way
			throw new PostponeTaskException(Duration.ofMillis(ThreadLocalRandom.current().nextLong(1000, 4001)));
		}
		try {
			return this.handler.processTask(task, context);
		}
		finally {
			release(context);
		}
	}

	private boolean hasToken(TaskContext context) {
		try {
			return this.semaphore.tryAcquire(context);
		}
		catch (BrokerException ex) {
			logger.warn("No token of {} could be asked for, task {} is postponed: {}", this.semaphore, context.taskId(),
					ex.getMessage());
			return false;
		}
	}

	private void release(TaskContext context) {
		// A pool of connections lets nobody wait who is interrupted
		boolean interrupted = Thread.interrupted();
		try {
			this.semaphore.release(context);
		}
		catch (BrokerException ex) {
			logger.warn("Task {} could not give back its token of {}: {}", context.taskId(), this.semaphore,
					ex.getMessage());
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
