package io.asynq.benchmarks.rivals;

import java.util.List;

import io.asynq.benchmarks.peer.Producer;
import org.redisson.api.RExecutorService;
import org.redisson.api.RedissonClient;

/** Enqueues tasks whose results are ignored. */
final class RedissonProducer implements Producer {

	private final RExecutorService queue;

	private final RedissonClient client;

	RedissonProducer(RExecutorService queue, RedissonClient client) {
		this.queue = queue;
		this.client = client;
	}

	@Override
	public void one(String payload) {
		this.queue.execute(new RedissonTask(payload));
	}

	@Override
	public void many(List<String> payloads) {
		this.queue.execute(payloads.stream().map(RedissonTask::new).toArray(Runnable[]::new));
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
