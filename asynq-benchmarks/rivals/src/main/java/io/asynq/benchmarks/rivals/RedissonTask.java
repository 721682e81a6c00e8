package io.asynq.benchmarks.rivals;

import java.util.function.IntConsumer;

import io.asynq.benchmarks.peer.Payload;

/**
 * Travels through Redis with its class file, and runs where a worker was started.
 */
public final class RedissonTask implements Runnable {

	private static volatile IntConsumer handler = (number) -> {
		throw new IllegalStateException("No worker was started here");
	};

	private String payload = "";

	/**
	 * Used when it is read.
	 */
	public RedissonTask() {
	}

	RedissonTask(String payload) {
		this.payload = payload;
	}

	static void handler(IntConsumer handler) {
		RedissonTask.handler = handler;
	}

	@Override
	public void run() {
		handler.accept(Payload.number(this.payload));
	}

}
