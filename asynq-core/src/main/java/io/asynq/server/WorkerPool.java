package io.asynq.server;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Platform threads that are started when needed and end after a time without work. At
 * most one idle thread is on its way to work at any time; when it has got there and finds
 * more than it can take, it calls the next. A
 * {@link java.util.concurrent.ThreadPoolExecutor} wakes a thread for nearly every task,
 * which costs more than a short handler does: here one thread may run them all, and a
 * long handler still keeps none waiting. A thread that finds nothing looks for work by
 * itself before it sleeps.
 */
final class WorkerPool implements WorkerThreads {

	static final String THREAD_NAME_PREFIX = "asynq-worker-";

	private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);

	private final int size;

	private final Runnable onTaken;

	private final Runnable whenIdle;

	private final BooleanSupplier worthLooking;

	private final CustomizableThreadFactory factory = new CustomizableThreadFactory(THREAD_NAME_PREFIX);

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition arrived = this.lock.newCondition();

	private final Queue<Runnable> waiting = new ArrayDeque<>();

	private long taken;

	private int threads;

	private int idle;

	private boolean onItsWay;

	private boolean started;

	/**
	 * Creates the pool.
	 * @param size how many threads at most
	 * @param onTaken called for each work that a thread has taken; in the same step, so
	 * that whoever finds none waiting finds it taken
	 * @param whenIdle called by a thread that finds no work, before it sleeps
	 * @param worthLooking whether {@code whenIdle} would find work
	 */
	WorkerPool(int size, Runnable onTaken, Runnable whenIdle, BooleanSupplier worthLooking) {
		this.size = size;
		this.onTaken = onTaken;
		this.whenIdle = whenIdle;
		this.worthLooking = worthLooking;
		// A handler that never ends must not keep a JVM alive whose context is closed
		this.factory.setDaemon(true);
	}

	@Override
	public void start() {
		this.lock.lock();
		try {
			this.started = true;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void execute(Runnable work) {
		this.lock.lock();
		try {
			if (!this.started) {
				throw new IllegalStateException("The server's worker threads are not started");
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

	@Override
	public boolean lookForWork() {
		return true;
	}

	@Override
	public void stop() {
		this.lock.lock();
		try {
			this.started = false;
			this.arrived.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Has an idle thread come, unless one is on its way: for work that waits, or for free
	 * slots that nobody fills when the last work was taken.
	 */
	private void callOne() {
		if (this.onItsWay) {
			return;
		}
		boolean waits = !this.waiting.isEmpty();
		if (this.idle > 0) {
			if (waits || this.worthLooking.getAsBoolean()) {
				this.arrived.signal();
				this.onItsWay = true;
			}
		}
		else if (waits && this.threads < this.size) {
			this.factory.newThread(this::loop).start();
			this.threads++;
			this.onItsWay = true;
		}
	}

	private void loop() {
		this.lock.lock();
		try {
			this.onItsWay = false;
		}
		finally {
			this.lock.unlock();
		}
		Runnable work = next();
		while (work != null) {
			runSafely(work);
			work = next();
		}
	}

	private @Nullable Runnable next() {
		long nanos = KEEP_ALIVE.toNanos();
		while (nanos > 0) {
			long seen;
			this.lock.lock();
			try {
				if (!this.waiting.isEmpty()) {
					return take();
				}
				seen = this.taken;
			}
			finally {
				this.lock.unlock();
			}
			runSafely(this.whenIdle);
			this.lock.lock();
			try {
				if (!this.started) {
					break;
				}
				// What another has taken meanwhile may have kept this one from looking
				if (this.waiting.isEmpty() && this.taken == seen) {
					nanos = pause(nanos);
				}
			}
			finally {
				this.lock.unlock();
			}
		}
		return end();
	}

	private Runnable take() {
		Runnable work = this.waiting.remove();
		this.taken++;
		this.onTaken.run();
		try {
			callOne();
		}
		catch (OutOfMemoryError ex) {
			// What waits is taken by the threads there are
			this.onItsWay = false;
		}
		return work;
	}

	private @Nullable Runnable end() {
		this.lock.lock();
		try {
			if (!this.waiting.isEmpty()) {
				return take();
			}
			this.threads--;
			return null;
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

	private static void runSafely(Runnable work) {
		try {
			work.run();
		}
		catch (Throwable ex) {
			Thread present = Thread.currentThread();
			present.getUncaughtExceptionHandler().uncaughtException(present, ex);
		}
	}

}
