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
 * Places the orders at the start, each once, and continues after an outage of Redis.
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
			logger.warn("Orders cannot be placed now, will try again: {}", ex.getMessage());
		}
	}

	// Called before anything is stopped
	@EventListener(ContextClosedEvent.class)
	void close() {
		this.closed = true;
	}

	/**
	 * Returns the counts before the first order, {@code null} until Redis was reached.
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
	 * Returns the orders that were placed, oldest first. The caller removes those that
	 * are finished.
	 */
	Queue<Order> placed() {
		return this.placed;
	}

}
