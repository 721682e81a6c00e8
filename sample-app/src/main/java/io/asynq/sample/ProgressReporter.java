package io.asynq.sample;

import java.util.Queue;

import io.asynq.BrokerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Prints a line per second until all orders of the start have been worked off, then a
 * summary, once.
 */
@Component
class ProgressReporter {

	private static final Logger logger = LoggerFactory.getLogger(ProgressReporter.class);

	private final OrderFeed feed;

	private final QueueCounter counter;

	private final RetryCounter retries;

	private final OrderStatus status;

	private final long start = System.nanoTime();

	private boolean finished;

	ProgressReporter(OrderFeed feed, QueueCounter counter, RetryCounter retries, OrderStatus status) {
		this.feed = feed;
		this.counter = counter;
		this.retries = retries;
		this.status = status;
	}

	@Scheduled(initialDelay = 1000, fixedRate = 1000)
	void report() {
		QueueCounts before = this.feed.before();
		if (this.finished || before == null) {
			return;
		}
		try {
			boolean workedOff = isWorkedOff();
			Progress progress = new Progress(this.feed.count(), this.counter.read().since(before),
					this.retries.count());
			logger.info("Progress: {}", progress);
			if (workedOff) {
				this.finished = true;
				logger.info("Summary: all {} orders worked off in {} s: {}", progress.placed(), seconds(), progress);
			}
		}
		catch (BrokerException ex) {
			logger.warn("Progress is unknown: {}", ex.getMessage());
		}
	}

	// Stops at the first order that is still open: each costs a look or two, not one per
	// second
	private boolean isWorkedOff() {
		boolean complete = this.feed.isComplete();
		Queue<Order> open = this.feed.placed();
		for (Order order = open.peek(); order != null; order = open.peek()) {
			if (!order.tasks().stream().allMatch(this.status::isWorkedOff)) {
				return false;
			}
			open.remove();
		}
		return complete;
	}

	private String seconds() {
		return "%.1f".formatted((System.nanoTime() - this.start) / 1e9);
	}

}
