package io.asynq.reliability.outbox;

import java.util.List;

/** Each transaction stores an order and enqueues a task for it in each queue. */
final class Orders {

	/** The type of all tasks. */
	static final String TYPE = "order";

	/** Each order has a task in each of them, with the number of the order as its id. */
	static final List<String> QUEUES = List.of("payments", "mails");

	/** Threads of the application that place orders. */
	static final int THREADS = 4;

	private static final int ROLLED_BACK = 3;

	private Orders() {
	}

	/** Tells whether the transaction of an order is rolled back at its end. */
	static boolean isRolledBack(long number) {
		return number % ROLLED_BACK == 0;
	}

}
