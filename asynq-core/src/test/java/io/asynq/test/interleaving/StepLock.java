package io.asynq.test.interleaving;

import java.util.ArrayDeque;
import java.util.Date;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

import org.jspecify.annotations.Nullable;

/**
 * Stands for a {@link java.util.concurrent.locks.ReentrantLock}.
 */
public final class StepLock implements Lock {

	private @Nullable Thread owner;

	private int holds;

	@Override
	public void lock() {
		Thread present = Thread.currentThread();
		Interleaving.await(() -> isFree(present));
		take(1);
	}

	@Override
	public boolean tryLock() {
		Interleaving.step();
		if (!isFree(Thread.currentThread())) {
			return false;
		}
		take(1);
		return true;
	}

	@Override
	public void unlock() {
		if (--this.holds == 0) {
			this.owner = null;
		}
		Interleaving.step();
	}

	public boolean isLocked() {
		Interleaving.step();
		return this.owner != null;
	}

	@Override
	public Condition newCondition() {
		return new StepCondition();
	}

	@Override
	public void lockInterruptibly() {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) {
		throw new UnsupportedOperationException();
	}

	private boolean isFree(Thread thread) {
		return this.owner == null || this.owner == thread;
	}

	private void take(int times) {
		this.owner = Thread.currentThread();
		this.holds += times;
	}

	private final class StepCondition implements Condition {

		private final Queue<boolean[]> waiting = new ArrayDeque<>();

		@Override
		public long awaitNanos(long nanos) {
			boolean[] signalled = new boolean[1];
			this.waiting.add(signalled);
			int held = StepLock.this.holds;
			StepLock.this.holds = 0;
			StepLock.this.owner = null;
			boolean inTime = Interleaving.await(() -> signalled[0], true);
			this.waiting.remove(signalled);
			Thread present = Thread.currentThread();
			Interleaving.await(() -> isFree(present));
			take(held);
			return inTime ? nanos : 0;
		}

		@Override
		public void signal() {
			boolean[] next = this.waiting.poll();
			if (next != null) {
				next[0] = true;
			}
		}

		@Override
		public void signalAll() {
			this.waiting.forEach((signalled) -> signalled[0] = true);
			this.waiting.clear();
		}

		@Override
		public void await() {
			throw new UnsupportedOperationException();
		}

		@Override
		public void awaitUninterruptibly() {
			throw new UnsupportedOperationException();
		}

		@Override
		public boolean await(long time, TimeUnit unit) {
			throw new UnsupportedOperationException();
		}

		@Override
		public boolean awaitUntil(Date deadline) {
			throw new UnsupportedOperationException();
		}

	}

}
