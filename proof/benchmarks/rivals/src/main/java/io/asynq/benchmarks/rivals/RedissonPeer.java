package io.asynq.benchmarks.rivals;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

import io.asynq.benchmarks.peer.Peer;
import io.asynq.benchmarks.peer.PeerProgram;
import io.asynq.benchmarks.peer.Producer;
import io.asynq.benchmarks.peer.Settings;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RExecutorService;
import org.redisson.api.RedissonClient;
import org.redisson.api.WorkerOptions;
import org.redisson.config.Config;

/** Redisson's executor with the requested number of workers. */
final class RedissonPeer implements Peer {

	private static final long DRAIN_SECONDS = 30;

	private @Nullable Worker worker;

	public static void main(String[] args) throws IOException {
		PeerProgram.run(new RedissonPeer());
	}

	@Override
	public String version() {
		return Rivals.version(Redisson.class);
	}

	@Override
	public void serve(Settings settings, IntConsumer handler) {
		Rivals.serve(settings, false);
		RedissonTask.handler(handler);
		int concurrency = settings.number("concurrency");
		RedissonClient client = client(settings);
		RExecutorService queue = client.getExecutorService(Rivals.queue(settings));
		// The client has 16 threads of its own at any concurrency
		ExecutorService threads = Executors.newFixedThreadPool(concurrency);
		this.worker = new Worker(client, queue, threads);
		queue.registerWorkers(WorkerOptions.defaults().workers(concurrency).executorService(threads));
	}

	@Override
	public void stop() throws Exception {
		if (this.worker != null) {
			this.worker.stop();
			this.worker = null;
		}
	}

	@Override
	public Producer producer(Settings settings) {
		Rivals.enqueue(settings, "single", "batch");
		RedissonClient client = client(settings);
		return new RedissonProducer(client.getExecutorService(Rivals.queue(settings)), client);
	}

	private static RedissonClient client(Settings settings) {
		Config config = new Config();
		config.useSingleServer().setAddress("redis://" + settings.host() + ":" + settings.port());
		if (Rivals.tuned(settings)) {
			config.setNettyThreads(2 * Runtime.getRuntime().availableProcessors());
		}
		return Redisson.create(config);
	}

	private record Worker(RedissonClient client, RExecutorService queue, ExecutorService threads) {

		void stop() throws InterruptedException {
			this.queue.deregisterWorkers();
			this.threads.shutdown();
			if (!this.threads.awaitTermination(DRAIN_SECONDS, TimeUnit.SECONDS)) {
				throw new IllegalStateException("Tasks still run after " + DRAIN_SECONDS + " s");
			}
			this.client.shutdown();
		}

	}

	/** Enqueues tasks whose results are ignored. */
	record RedissonProducer(RExecutorService queue, RedissonClient client) implements Producer {

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

}
