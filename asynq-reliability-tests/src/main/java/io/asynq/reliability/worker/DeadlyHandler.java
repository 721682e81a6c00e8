package io.asynq.reliability.worker;

import java.util.concurrent.locks.LockSupport;

import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskContext;
import io.asynq.reliability.load.Deadly;
import io.asynq.test.ledger.LedgerWriter;
import io.asynq.test.ledger.TaskKey;

import org.springframework.context.ConfigurableApplicationContext;

/** Ends its process, as the task says. */
final class DeadlyHandler {

	private final LedgerWriter ledger;

	private final ConfigurableApplicationContext application;

	DeadlyHandler(LedgerWriter ledger, ConfigurableApplicationContext application) {
		this.ledger = ledger;
		this.application = application;
	}

	static void told(Throwable error) {
		if (error instanceof ToBeToldException) {
			System.exit(3);
		}
	}

	@TaskHandler(Deadly.TYPE)
	void handle(Deadly deadly, TaskContext context) {
		this.ledger.started(new TaskKey(context.queue(), context.taskId()), context.retryCount());
		LockSupport.parkNanos(deadly.millis() * 1_000_000L);
		switch (deadly.way()) {
			case EXIT -> System.exit(3);
			case EXIT_WHEN_TOLD -> throw new ToBeToldException();
			case CLOSE -> this.application.close();
			case HALT -> Runtime.getRuntime().halt(3);
		}
	}

	private static final class ToBeToldException extends RuntimeException {

	}

}
