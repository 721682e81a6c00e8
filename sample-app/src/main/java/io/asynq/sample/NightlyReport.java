package io.asynq.sample;

import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.TaskHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Counts the orders every night: once, however many instances of the application run.
 */
@Component
class NightlyReport {

	private static final Logger logger = LoggerFactory.getLogger(NightlyReport.class);

	private final OrderStore orders;

	NightlyReport(OrderStore orders) {
		this.orders = orders;
	}

	@TaskHandler("report:nightly")
	@PeriodicTask(cron = "${sample.report:0 3 * * *}", zone = "Europe/Berlin", queue = "low")
	String report() {
		logger.info("There are {} orders", this.orders.size());
		return this.orders.size() + " orders";
	}

}
