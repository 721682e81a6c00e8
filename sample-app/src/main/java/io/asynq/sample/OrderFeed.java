package io.asynq.sample;

import java.math.BigDecimal;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.asynq.BrokerException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Places the orders of the start, each once, going on where it was when Redis was away.
 */
@Component
class OrderFeed {

	private static final Logger logger = LoggerFactory.getLogger(OrderFeed.class);

	private final OrderService service;

	private final QueueCounter counter;

	private final int wanted;

	private final Queue<Order> placed = new ConcurrentLinkedQueue<>();

	private volatile @Nullable QueueCounts before;

	private volatile int count;

	private volatile boolean closed;

	OrderFeed(OrderService service, QueueCounter counter, SampleProperties properties) {
		this.service = service;
		this.counter = counter;
		this.wanted = properties.orders();
	}

	@Scheduled(fixedDelay = 1000)
	void placeOrders() {
		try {
			if (this.before == null && !isComplete()) {
				this.before = this.counter.read();
			}
			while (!isComplete() && !this.closed) {
				int next = this.count + 1;
				this.placed.add(this.service.place("customer%d@example.com".formatted(next), "Book", next % 3 + 1,
						new BigDecimal("19.90")));
				this.count = next;
			}
		}
		catch (BrokerException ex) {
			logger.warn("Orders cannot be placed now, tries again: {}", ex.getMessage());
		}
	}

	// Comes before anything is stopped
	@EventListener(ContextClosedEvent.class)
	void close() {
		this.closed = true;
	}

	/**
	 * Returns what the queues had counted before the first order.
	 * @return the counts, {@code null} as long as Redis was never reached
	 */
	@Nullable QueueCounts before() {
		return this.before;
	}

	int count() {
		return this.count;
	}

	boolean isComplete() {
		return this.count >= this.wanted;
	}

	/**
	 * Returns the orders that were placed; who has seen one end takes it out.
	 * @return the orders, oldest first
	 */
	Queue<Order> placed() {
		return this.placed;
	}

}
