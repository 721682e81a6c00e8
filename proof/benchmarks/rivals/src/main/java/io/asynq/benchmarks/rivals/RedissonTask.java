package io.asynq.benchmarks.rivals;

import java.util.function.IntConsumer;

import io.asynq.benchmarks.peer.Payload;

/** A task that is stored in Redis with its class file and runs in a worker. */
public final class RedissonTask implements Runnable {

	private static volatile IntConsumer handler = (number) -> {
		throw new IllegalStateException("No worker was started here");
	};

	private String payload = "";

	/** Used by deserialization. */
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
