package io.asynq.test.interleaving;

import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * A thread that runs when the schedule says so.
 */
public final class StepThread extends Thread {

	private final Semaphore turn = new Semaphore(0);

	private final Interleaving interleaving = Interleaving.running();

	private final Runnable work;

	private @Nullable BooleanSupplier ready = () -> true;

	private boolean timed;

	private boolean timedOut;

	public StepThread(Runnable work, String name) {
		super(name);
		this.work = work;
		setDaemon(true);
	}

	@Override
	public synchronized void start() {
		this.interleaving.add(this);
		super.start();
	}

	@Override
	public void run() {
		sleep();
		stopWaiting();
		try {
			this.work.run();
		}
		finally {
			this.interleaving.end(this);
		}
	}

	static StepThread current() {
		return (StepThread) Thread.currentThread();
	}

	public void await(BooleanSupplier condition, boolean withTime) {
		this.ready = condition;
		this.timed = withTime;
		this.timedOut = false;
	}

	boolean isReady() {
		return this.ready != null && this.ready.getAsBoolean();
	}

	boolean mayTimeOut() {
		return this.timed && !isReady();
	}

	void choose() {
		this.timedOut = !isReady();
	}

	/**
	 * Ends the wait and returns whether its condition holds.
	 */
	boolean stopWaiting() {
		this.timed = false;
		return !this.timedOut;
	}

	boolean hasEnded() {
		return this.ready == null;
	}

	void end() {
		this.ready = null;
		this.timed = false;
	}

	void goOn() {
		this.turn.release();
	}

	void sleep() {
		this.turn.acquireUninterruptibly();
	}

	void sleepForEver() {
		while (true) {
			sleep();
		}
	}

}
