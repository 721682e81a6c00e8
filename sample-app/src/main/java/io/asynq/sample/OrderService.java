package io.asynq.sample;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.asynq.AsynqClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Accepts an order and enqueues its tasks, in one transaction: both are there or none,
 * and no task runs before its order is stored. Redis may be away meanwhile.
 */
@Service
class OrderService {

	private static final Duration MAIL_DELAY = Duration.ofSeconds(2);

	private final AsynqClient client;

	private final OrderStore store;

	OrderService(AsynqClient client, OrderStore store) {
		this.client = client;
		this.store = store;
	}

	@Transactional
	Order place(String customer, String item, int quantity, BigDecimal price) {
		BigDecimal total = price.multiply(BigDecimal.valueOf(quantity));
		Order order = new Order(UUID.randomUUID().toString(), this.store.nextNumber(), customer, item, quantity, total,
				List.of());
		Order placed = order.withTasks(enqueueTasks(order));
		this.store.add(placed);
		return placed;
	}

	private List<OrderTask> enqueueTasks(Order order) {
		ChargePayment payment = new ChargePayment(order.id(), order.number(), order.total());
		SendConfirmation confirmation = new SendConfirmation(order.id(), order.customer());
		WriteInvoice invoice = new WriteInvoice(order.id(), order.customer(), order.total());
		AsynqClient late = this.client.afterCommit();
		return List.of(OrderTask.of("payment", late.enqueue(payment)),
				OrderTask.of("confirmation", late.enqueue(confirmation, (options) -> options.processIn(MAIL_DELAY))),
				OrderTask.of("invoice", late.enqueue(invoice)));
	}

}
