package io.asynq.sample;

import java.math.BigDecimal;
import java.util.List;

import io.asynq.AsynqClient;
import io.asynq.annotation.TaskAggregator;
import io.asynq.annotation.TaskHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Collects sales in a group and reports them together.
 */
@Component
class SalesReport {

	private static final Logger logger = LoggerFactory.getLogger(SalesReport.class);

	private static final String QUEUE = "reports";

	private final AsynqClient client;

	SalesReport(AsynqClient client) {
		this.client = client;
	}

	void add(Sale sale) {
		this.client.enqueue("sale", sale, (options) -> options.queue(QUEUE).group("sales"));
	}

	@TaskAggregator(queue = QUEUE, group = "sales", type = "sales:report")
	SalesTotal total(List<Sale> sales) {
		return new SalesTotal(sales.size(), sales.stream().map(Sale::amount).reduce(BigDecimal.ZERO, BigDecimal::add));
	}

	@TaskHandler("sales:report")
	void report(SalesTotal total) {
		logger.info("Sales: {} invoices, {}", total.invoices(), total.amount());
	}

}
