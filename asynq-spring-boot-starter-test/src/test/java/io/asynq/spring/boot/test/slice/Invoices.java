package io.asynq.spring.boot.test.slice;

import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.TaskHandler;
import org.springframework.stereotype.Component;

@Component
class Invoices {

	private final Ledger ledger;

	Invoices(Ledger ledger) {
		this.ledger = ledger;
	}

	@TaskHandler("invoice:book")
	@PeriodicTask(cron = "@hourly", id = "booking")
	void book(String invoice) {
		this.ledger.book(invoice);
	}

}
