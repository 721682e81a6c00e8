package io.asynq.console.browser;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.TaskHandler;

/**
 * The shop's work: some of it succeeds, some fails, some never ends.
 */
class ShopTasks {

	private final CountDownLatch never = new CountDownLatch(1);

	@TaskHandler("mail:send")
	String send(Order order) {
		return "sent to customer " + order.number();
	}

	/**
	 * Fails with a text that differs by order.
	 */
	@TaskHandler(type = "order:charge", retryDelay = "1h")
	void charge(Order order) {
		throw new IllegalStateException(
				"Card of order " + order.number() + " was declined by 10.0.3." + order.number());
	}

	/**
	 * Runs until it is cancelled.
	 */
	@TaskHandler(type = "order:pack", retryDelay = "1h")
	void pack() throws InterruptedException {
		this.never.await();
	}

	/**
	 * Runs on after its deadline, whatever it is told; each attempt takes a worker away.
	 */
	@TaskHandler(type = "order:stuck", retryDelay = "1h")
	void stick() {
		while (this.never.getCount() > 0) {
			// An interrupted thread does not park, and would take a core
			Thread.interrupted();
			LockSupport.parkNanos(Long.MAX_VALUE);
		}
	}

	@PeriodicTask(cron = "0 3 * * *", id = "nightly-statement", type = "shop:statement", queue = "low")
	@PeriodicTask(cron = "@every 1h", id = "hourly-stock", type = "shop:stock", queue = "low")
	Order statement() {
		return new Order(1);
	}

	record Order(int number) {
	}

}
