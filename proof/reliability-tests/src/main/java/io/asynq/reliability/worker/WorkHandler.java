package io.asynq.reliability.worker;

import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import io.asynq.annotation.TaskHandler;
import io.asynq.handler.SkipRetryException;
import io.asynq.handler.TaskContext;
import io.asynq.reliability.load.Deadly;
import io.asynq.reliability.load.Digest;
import io.asynq.reliability.load.Rhythm;
import io.asynq.reliability.load.Rhythm.Fire;
import io.asynq.reliability.load.Work;
import io.asynq.test.ledger.LedgerWriter;
import io.asynq.test.ledger.RunOutcome;
import io.asynq.test.ledger.TaskKey;
import org.springframework.context.ConfigurableApplicationContext;

/** Does what a task says. */
record WorkHandler(LedgerWriter ledger, boolean hostile, ConfigurableApplicationContext application) {

	private static final long SLICE_NANOS = 50_000_000;

	@TaskHandler(Work.TYPE)
	void handle(Work work, TaskContext context) {
		run(work, key(context), context);
	}

	@TaskHandler(value = Work.LIMITED, maxConcurrent = Work.LIMIT)
	void handleLimited(Work work, TaskContext context) {
		run(work, key(context), context);
	}

	@TaskHandler(Digest.TYPE)
	void handle(Digest digest, TaskContext context) {
		TaskKey task = key(context);
		this.ledger.given(task, digest.members());
		run(new Work(0, digest.millis(), List.of(), false), task, context);
	}

	@TaskHandler(Rhythm.TYPE)
	void handle(Fire fire, TaskContext context) {
		TaskKey task = key(context);
		this.ledger.fired(task, fire.entry(), fire.second());
		run(new Work(0, 0, List.of(), false), task, context);
	}

	@TaskHandler(Deadly.TYPE)
	void handle(Deadly deadly, TaskContext context) {
		this.ledger.started(key(context), context.retryCount());
		LockSupport.parkNanos(deadly.millis() * 1_000_000L);
		switch (deadly.way()) {
			case EXIT -> System.exit(3);
			case EXIT_WHEN_TOLD -> throw new ToBeToldException();
			case CLOSE -> this.application.close();
			case HALT -> Runtime.getRuntime().halt(3);
		}
	}

	/** Records nothing, because a long run would fill the disk. */
	@TaskHandler("soak")
	byte[] handle(Map<String, Integer> payload, TaskContext context) {
		return context.taskId().getBytes();
	}

	static void told(Throwable error) {
		if (error instanceof ToBeToldException) {
			System.exit(3);
		}
	}

	private void run(Work work, TaskKey task, TaskContext context) {
		int attempt = context.retryCount();
		long run = this.ledger.started(task, attempt);
		RunOutcome outcome = work(work, context) ? outcome(work, attempt) : RunOutcome.CANCELLED;
		this.ledger.ended(task, attempt, run, outcome);
		if (this.hostile && outcome == RunOutcome.FAILED) {
			HostileCallbacks.throwAny();
		}
		switch (outcome) {
			case OK -> {
			}
			case SKIPPED -> throw new SkipRetryException("The task says so");
			case FAILED -> throw new IllegalStateException("The task says so");
			case CANCELLED -> throw new IllegalStateException("Cut short");
		}
	}

	private static TaskKey key(TaskContext context) {
		return new TaskKey(context.queue(), context.taskId());
	}

	private static RunOutcome outcome(Work work, int attempt) {
		return work.skip() ? RunOutcome.SKIPPED : work.failsAt(attempt) ? RunOutcome.FAILED : RunOutcome.OK;
	}

	private static boolean work(Work work, TaskContext context) {
		long end = System.nanoTime() + work.millis() * 1_000_000L;
		for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
			if (context.isCancelled()) {
				return false;
			}
			LockSupport.parkNanos(Math.min(left, SLICE_NANOS));
			Thread.interrupted();
		}
		// A handler that ends with its attempt has not ended by itself
		return !context.isCancelled();
	}

	private static final class ToBeToldException extends RuntimeException {

	}

}
