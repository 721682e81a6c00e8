package io.asynq.spring.boot.test;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.asynq.handler.TaskDeadlineExceededException;
import io.asynq.internal.worker.Attempt;
import io.asynq.internal.worker.TaskExecution;

/**
 * Interrupts handlers at their deadline, by the time that really passes, as a server
 * does. Safe for concurrent use.
 */
final class Deadlines {

	private final TaskExecution execution;

	Deadlines(TaskExecution execution) {
		this.execution = execution;
	}

	/**
	 * Watches an attempt until the answer is closed.
	 */
	Watch watch(Attempt attempt) {
		CompletableFuture<Void> returned = new CompletableFuture<>();
		long left = Math.max(0, attempt.times().left(System.nanoTime()).toNanos());
		returned.orTimeout(left, TimeUnit.NANOSECONDS).whenComplete((nothing, late) -> {
			if (late != null) {
				this.execution.abort(attempt, new TaskDeadlineExceededException());
			}
		});
		return () -> returned.complete(null);
	}

	/**
	 * The watch over one attempt.
	 */
	interface Watch extends AutoCloseable {

		@Override
		void close();

	}

}
