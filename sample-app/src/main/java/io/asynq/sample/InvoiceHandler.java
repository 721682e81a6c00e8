package io.asynq.sample;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.asynq.annotation.TaskHandler;
import org.springframework.stereotype.Component;

/**
 * Writes invoices; what it returns becomes the task's result.
 */
@Component
class InvoiceHandler {

	private final AtomicLong lastNumber = new AtomicLong();

	private final SalesReport sales;

	InvoiceHandler(SalesReport sales) {
		this.sales = sales;
	}

	@TaskHandler("invoice:write")
	Invoice write(WriteInvoice order) {
		SimulatedWork.lasting(Duration.ofMillis(8));
		String number = "INV-%06d".formatted(this.lastNumber.incrementAndGet());
		this.sales.add(new Sale(order.amount()));
		return new Invoice(number, order.orderId(), order.amount());
	}

}
