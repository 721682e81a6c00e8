package io.asynq.server;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import io.asynq.lifecycle.UserCode;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

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

	private static final Logger logger = OneLineLogger.of(WorkerPool.class);

	static final String THREAD_NAME_PREFIX = "asynq-worker-";

	private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);

	private final int size;

	private final Runnable onTaken;

	private final Runnable whenIdle;

	private final BooleanSupplier worthLooking;

	/** Set in the pool's own threads: they look for work by themselves. */
	private final ThreadLocal<Boolean> own = new ThreadLocal<>();

	private final CustomizableThreadFactory factory = new CustomizableThreadFactory(THREAD_NAME_PREFIX);

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition arrived = this.lock.newCondition();

	private final Queue<Runnable> waiting = new ArrayDeque<>();

	/** Counts what may be a reason to look once more. */
	private long changes;

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
	 * @param worthLooking whether {@code whenIdle} would find work, and nobody else is
	 * about to
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
	public void freed() {
		if (this.own.get() != null) {
			return;
		}
		this.lock.lock();
		try {
			this.changes++;
			callOneIfPossible();
		}
		finally {
			this.lock.unlock();
		}
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
	 * Has a thread come, unless one is on its way: for work that waits, or for free slots
	 * that nobody fills: no slot was offered while work was on its way to its thread, so
	 * whoever heard of an arrival meanwhile has left it.
	 */
	private void callOne() {
		if (this.onItsWay || this.waiting.isEmpty() && !this.worthLooking.getAsBoolean()) {
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
		this.own.set(true);
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
		while (true) {
			long seen;
			this.lock.lock();
			try {
				if (!this.waiting.isEmpty()) {
					return take();
				}
				seen = this.changes;
			}
			finally {
				this.lock.unlock();
			}
			runSafely(this.whenIdle);
			this.lock.lock();
			try {
				// What has changed meanwhile may have kept this one from looking
				if (this.waiting.isEmpty() && (!this.started || this.changes == seen && !pause())) {
					this.threads--;
					return null;
				}
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	private Runnable take() {
		Runnable work = this.waiting.remove();
		this.changes++;
		this.onTaken.run();
		callOneIfPossible();
		return work;
	}

	private void callOneIfPossible() {
		try {
			callOne();
		}
		catch (OutOfMemoryError ex) {
			// What there is to do is left to the threads there are
		}
	}

	/**
	 * Sleeps until called, with a look at what may have come just when the time was over.
	 * @return whether there may be something to do
	 */
	private boolean pause() {
		this.idle++;
		try {
			return this.arrived.awaitNanos(KEEP_ALIVE.toNanos()) > 0 || !this.waiting.isEmpty()
					|| this.worthLooking.getAsBoolean();
		}
		catch (InterruptedException ex) {
			// Meant for a handler that has returned
			return true;
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
			UserCode.run(() -> present.getUncaughtExceptionHandler().uncaughtException(present, ex),
					(shown) -> logger.error("The uncaught exception handler of {} failed", present.getName(), shown));
		}
	}

}
