package io.asynq.reliability.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;

import io.asynq.FailurePredicate;
import io.asynq.RetryDelayPolicy;
import io.asynq.Task;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskErrorHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.TaskDecorator;

/** They throw unexpected errors, return nothing, or hang until they are interrupted. */
final class HostileCallbacks implements TaskErrorHandler, RetryDelayPolicy, FailurePredicate, TaskDecorator {

	/** If a policy fails, asynq's own delay applies, which is up to 44 s at first. */
	private static final int DELAYS_PER_FAILURE = 50;

	private static final int ERRORS_PER_HANG = 50;

	@Override
	public void handleError(Task task, TaskContext context, Throwable error) {
		if (ThreadLocalRandom.current().nextInt(ERRORS_PER_HANG) == 0) {
			hang();
		}
		throwAny();
	}

	@Override
	public @Nullable Duration delay(int retried, Throwable error, Task task) {
		int draw = ThreadLocalRandom.current().nextInt(DELAYS_PER_FAILURE * 2);
		if (retried == 0 && draw == 0) {
			return null;
		}
		if (retried == 0 && draw == 1) {
			throwAny();
		}
		return WorkerApplication.RETRY_DELAY;
	}

	@Override
	public boolean isFailure(Throwable error) {
		throwAny();
		return true;
	}

	@Override
	public Runnable decorate(Runnable attempt) {
		return () -> {
			attempt.run();
			attempt.run();
			throwAny();
		};
	}

	/** Throws one of many errors, all of which have lost outcomes in the past. */
	static void throwAny() {
		switch (ThreadLocalRandom.current().nextInt(6)) {
			case 0 -> sneak(new Exception("checked"));
			case 1 -> throw new StackOverflowError();
			case 2 -> throw new OutOfMemoryError("planted");
			case 3 -> throw new NoClassDefFoundError("planted");
			case 4 -> throw new Unspeakable();
			default -> throw new IllegalStateException("x".repeat(1_000_000));
		}
	}

	private static void hang() {
		try {
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@SuppressWarnings("unchecked")
	private static <E extends Throwable> void sneak(Throwable error) throws E {
		throw (E) error;
	}

	/** Fails when it is printed. */
	private static final class Unspeakable extends RuntimeException {

		@Override
		public String getMessage() {
			throw new IllegalStateException("No message either");
		}

		@Override
		public synchronized Throwable getCause() {
			return new Unspeakable();
		}

		@Override
		public String toString() {
			return "again " + this;
		}

	}

}
