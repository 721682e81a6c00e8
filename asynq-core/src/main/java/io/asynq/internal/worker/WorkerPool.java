package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.asynq.internal.lifecycle.UserCode;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * At most one idle thread is being woken at any time, and wakes the next if it finds more
 * work than it can take: a {@link java.util.concurrent.ThreadPoolExecutor} wakes a thread
 * for nearly every task, which costs more than a short handler does.
 */
final class WorkerPool implements WorkerThreads {

	static final String THREAD_NAME_PREFIX = "asynq-worker-";

	private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);

	private final int size;

	private final Runnable onTaken;

	/** Set in the pool's own threads: what the thread does next, at most one. */
	private final ThreadLocal<Queue<Runnable>> own = new ThreadLocal<>();

	private final CustomizableThreadFactory factory = new CustomizableThreadFactory(THREAD_NAME_PREFIX);

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition arrived = this.lock.newCondition();

	private final Queue<Runnable> waiting = new ArrayDeque<>();

	/** Counts events that may be a reason to look once more. */
	private long changes;

	private int threads;

	private int idle;

	private boolean onItsWay;

	private boolean started;

	/** Kept after a stop, for threads that are still being woken. */
	private @Nullable Source source;

	/**
	 * @param onTaken called under the lock for each item taken, so that none is seen as
	 * neither waiting nor taken
	 */
	WorkerPool(int size, Runnable onTaken) {
		this.size = size;
		this.onTaken = onTaken;
		// A handler that never ends must not keep the JVM alive after its context is
		// closed
		this.factory.setDaemon(true);
	}

	@Override
	public void start(Source from) {
		this.lock.lock();
		try {
			this.source = from;
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
			try {
				callOne();
			}
			catch (Throwable ex) {
				this.waiting.remove(work);
				throw ex;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public boolean executeHere(Runnable work) {
		Queue<Runnable> present = this.own.get();
		if (present == null) {
			return false;
		}
		// Without the lock, for which all workers of short tasks would queue
		return present.add(work);
	}

	@Override
	public boolean fetchThemselves() {
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
	 * Slots are not offered while work is on its way to a thread, so a thread that heard
	 * of an arrival meanwhile has left it to the pool.
	 */
	private void callOne() {
		if (this.onItsWay || this.waiting.isEmpty() && !isWorthLooking()) {
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
		Queue<Runnable> present = new ArrayDeque<>(1);
		this.own.set(present);
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
			work = present.poll();
			if (work == null) {
				work = next();
			}
		}
	}

	private @Nullable Runnable next() {
		while (true) {
			long seen;
			Source present;
			this.lock.lock();
			try {
				if (!this.waiting.isEmpty()) {
					return take();
				}
				seen = this.changes;
				present = this.source;
			}
			finally {
				this.lock.unlock();
			}
			if (present != null) {
				runSafely(present::look);
			}
			this.lock.lock();
			try {
				// A change meanwhile may have kept this thread from finding work
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

	private boolean isWorthLooking() {
		return this.source != null && this.source.isWorthLooking();
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
			// The existing threads will do the work
		}
	}

	/** Looks at what may have arrived just as the time ran out. */
	private boolean pause() {
		this.idle++;
		try {
			return this.arrived.awaitNanos(KEEP_ALIVE.toNanos()) > 0 || !this.waiting.isEmpty() || isWorthLooking();
		}
		catch (InterruptedException ex) {
			// The interrupt was meant for a handler that has returned
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
			UserCode.uncaught(ex);
		}
	}

}
