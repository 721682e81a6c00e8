package io.asynq.reliability.worker;

import java.time.Duration;

import io.asynq.test.ledger.LedgerWriter;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/** Records from when to when this process is responsible for periodic tasks. */
final class SchedulerLog {

	private final LedgerWriter ledger;

	private final Duration ahead;

	SchedulerLog(LedgerWriter ledger, Duration ahead) {
		this.ledger = ledger;
		this.ahead = ahead;
	}

	@EventListener(ApplicationReadyEvent.class)
	void begins() {
		this.ledger.scheduling(this.ahead);
	}

	@EventListener(ContextClosedEvent.class)
	void ends() {
		this.ledger.schedulingEnds();
	}

}
