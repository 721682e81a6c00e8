package io.asynq.reliability.soak;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import io.asynq.test.redis.RedisNode;

/** Lets Redis answer for a tenth of the time. */
final class SlowRedis implements AutoCloseable {

	private static final long PAUSED = Duration.ofMillis(900).toNanos();

	private static final long RUNNING = Duration.ofMillis(100).toNanos();

	private final RedisNode redis;

	private final Thread thread = new Thread(this::run, "slow-redis");

	private volatile boolean ended;

	private SlowRedis(RedisNode redis) {
		this.redis = redis;
		this.thread.setDaemon(true);
	}

	static SlowRedis start(RedisNode redis) {
		SlowRedis slow = new SlowRedis(redis);
		slow.thread.start();
		return slow;
	}

	@Override
	public void close() throws InterruptedException {
		this.ended = true;
		this.thread.join();
	}

	private void run() {
		while (!this.ended) {
			this.redis.pause();
			LockSupport.parkNanos(PAUSED);
			this.redis.resume();
			LockSupport.parkNanos(RUNNING);
		}
	}

}
