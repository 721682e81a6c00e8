package io.asynq.server;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * Platform threads that are started when needed and end after a time without work. At
 * most one idle thread is on its way to work at any time; when it has got there and finds
 * more than it can take, it calls the next. A
 * {@link java.util.concurrent.ThreadPoolExecutor} wakes a thread for nearly every task,
 * which costs more than a short handler does: here one thread may run them all, and a
 * long handler still keeps none waiting. Safe for concurrent use.
 */
final class WorkerPool {

	private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);

	private final int size;

	private final ThreadFactory factory;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition arrived = this.lock.newCondition();

	private final Queue<Runnable> waiting = new ArrayDeque<>();

	private int threads;

	private int idle;

	private boolean onItsWay;

	private boolean stopped;

	WorkerPool(int size, ThreadFactory factory) {
		this.size = size;
		this.factory = factory;
	}

	/**
	 * Has work run.
	 * @param work the work
	 * @throws IllegalStateException if the pool was stopped
	 * @throws OutOfMemoryError if there is no thread to be had; the work will not be run
	 */
	void execute(Runnable work) {
		this.lock.lock();
		try {
			if (this.stopped) {
				throw new IllegalStateException("The server's worker threads are stopped");
			}
			this.waiting.add(work);
			boolean called = false;
			try {
				callOne();
				called = true;
			}
			finally {
				if (!called) {
					this.waiting.remove(work);
				}
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Lets threads end when nothing waits any more.
	 */
	void stop() {
		this.lock.lock();
		try {
			this.stopped = true;
			this.arrived.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void callOne() {
		if (this.onItsWay || this.waiting.isEmpty()) {
			return;
		}
		if (this.idle > 0) {
			this.arrived.signal();
			this.onItsWay = true;
		}
		else if (this.threads < this.size) {
			this.factory.newThread(this::loop).start();
			this.threads++;
			this.onItsWay = true;
		}
	}

	private void loop() {
		Runnable work = first();
		while (work != null) {
			try {
				work.run();
			}
			catch (Throwable ex) {
				Thread present = Thread.currentThread();
				present.getUncaughtExceptionHandler().uncaughtException(present, ex);
			}
			work = next();
		}
	}

	private @Nullable Runnable first() {
		this.lock.lock();
		try {
			this.onItsWay = false;
			return next();
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable Runnable next() {
		this.lock.lock();
		try {
			long nanos = KEEP_ALIVE.toNanos();
			while (this.waiting.isEmpty()) {
				if (this.stopped || nanos <= 0) {
					this.threads--;
					return null;
				}
				nanos = pause(nanos);
			}
			Runnable work = this.waiting.remove();
			callAnother();
			return work;
		}
		finally {
			this.lock.unlock();
		}
	}

	private long pause(long nanos) {
		this.idle++;
		try {
			return this.arrived.awaitNanos(nanos);
		}
		catch (InterruptedException ex) {
			// Meant for a handler that has returned
			return nanos;
		}
		finally {
			this.idle--;
			this.onItsWay = false;
		}
	}

	private void callAnother() {
		try {
			callOne();
		}
		catch (OutOfMemoryError ex) {
			// What waits is taken by the threads there are
			this.onItsWay = false;
		}
	}

}
