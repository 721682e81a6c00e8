package io.asynq.internal.worker;

import java.util.function.Predicate;

import io.asynq.AsynqException;
import org.springframework.core.task.TaskDecorator;

public final class Worker {

	private final Predicate<Attempt> mayBegin;

	private final TaskDecorator decorator;

	private final TaskExecution execution;

	private final TaskFlow flow;

	public Worker(Predicate<Attempt> mayBegin, TaskDecorator decorator, TaskExecution execution, TaskFlow flow) {
		this.mayBegin = mayBegin;
		this.decorator = decorator;
		this.execution = execution;
		this.flow = flow;
	}

	/** The current thread is the attempt's first participant. */
	public void work(Attempt attempt) {
		long start = System.nanoTime();
		try {
			// Before arrive(): an interrupt must not end the call to Redis
			if (this.mayBegin.test(attempt)) {
				attempt.arrive();
				runDecorated(attempt);
			}
		}
		finally {
			attempt.depart();
			this.flow.ran(System.nanoTime() - start);
			this.execution.leave(attempt);
		}
	}

	private void runDecorated(Attempt attempt) {
		try {
			Runnable decorated = this.decorator.decorate(() -> this.execution.run(attempt));
			if (decorated == null) {
				throw new AsynqException("The TaskDecorator returned null");
			}
			decorated.run();
			if (!attempt.hasBegun() && !attempt.isCancelled()) {
				throw new AsynqException("The TaskDecorator returned without running the task");
			}
		}
		catch (Throwable ex) {
			if (!this.execution.fail(attempt, ex)) {
				throw ex;
			}
		}
	}

}
