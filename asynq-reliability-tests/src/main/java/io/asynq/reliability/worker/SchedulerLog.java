package io.asynq.reliability.worker;

import java.time.Duration;

import io.asynq.test.ledger.LedgerWriter;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/**
 * Records from when to when this process is responsible for periodic tasks.
 */
final class SchedulerLog {

	private final LedgerWriter ledger;

	private final Duration ahead;

	/**
	 * Creates the log.
	 * @param ledger receives it
	 * @param ahead how far the clock of this process is ahead
	 */
	SchedulerLog(LedgerWriter ledger, Duration ahead) {
		this.ledger = ledger;
		this.ahead = ahead;
	}

	@EventListener(ApplicationReadyEvent.class)
	void begins() {
		this.ledger.scheduling(this.ahead);
	}

	/**
	 * Called before anything is stopped.
	 */
	@EventListener(ContextClosedEvent.class)
	void ends() {
		this.ledger.schedulingEnds();
	}

}
