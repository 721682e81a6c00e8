package io.asynq.internal.redis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;

import io.asynq.benchmarks.peer.Peer;
import io.asynq.benchmarks.peer.PeerProgram;
import io.asynq.benchmarks.peer.Producer;
import io.asynq.benchmarks.peer.Settings;
import redis.clients.jedis.Jedis;

/** Redis's limit with these scripts: no lease is extended, no failure handled. */
final class CeilingPeer implements Peer {

	private static final int THREADS = 4;

	/** A call that was given up would lose its tasks. */
	static final int TIMEOUT_MILLIS = 60_000;

	private final List<Thread> threads = new ArrayList<>();

	private volatile boolean running;

	public static void main(String[] args) throws IOException {
		PeerProgram.run(new CeilingPeer());
	}

	@Override
	public String version() {
		return "Jedis-loop";
	}

	@Override
	public void serve(Settings settings, IntConsumer handler) throws InterruptedException {
		this.running = true;
		CountDownLatch connected = new CountDownLatch(THREADS);
		for (int i = 0; i < THREADS; i++) {
			Thread thread = new Thread(() -> {
				try (Jedis jedis = new Jedis(settings.host(), settings.port(), TIMEOUT_MILLIS)) {
					CeilingLoop loop = new CeilingLoop(jedis, settings.firstQueue(), handler);
					connected.countDown();
					while (this.running) {
						loop.workOff();
					}
				}
			});
			thread.start();
			this.threads.add(thread);
		}
		connected.await();
	}

	@Override
	public void stop() throws InterruptedException {
		this.running = false;
		for (Thread thread : this.threads) {
			thread.join();
		}
		this.threads.clear();
	}

	@Override
	public Producer producer(Settings settings) {
		return new CeilingProducer(settings);
	}

}
