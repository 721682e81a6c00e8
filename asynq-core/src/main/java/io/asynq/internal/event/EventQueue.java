package io.asynq.internal.event;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.asynq.event.TaskEvent;
import org.jspecify.annotations.Nullable;

/**
 * Bounded by number and by the size of payloads; what happens to every task may take half
 * of the room, so that it does not crowd out the events of failures.
 */
final class EventQueue {

	private final int room;

	private final long bytes;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Queue<TaskEvent> waiting = new ArrayDeque<>();

	private long waitingBytes;

	private boolean open;

	EventQueue(int room, long bytes) {
		this.room = room;
		this.bytes = bytes;
	}

	/**
	 * Takes events also while the queue is closed.
	 */
	boolean offer(TaskEvent event) {
		int share = isRoutine(event) ? 2 : 1;
		long size = size(event);
		this.lock.lock();
		try {
			if (this.waiting.size() >= this.room / share
					|| this.waitingBytes > 0 && this.waitingBytes + size > this.bytes / share) {
				return false;
			}
			this.waiting.add(event);
			this.waitingBytes += size;
			this.changed.signal();
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Nullable TaskEvent take() {
		this.lock.lock();
		try {
			while (this.waiting.isEmpty() && this.open) {
				this.changed.awaitUninterruptibly();
			}
			TaskEvent event = this.waiting.poll();
			if (event != null) {
				this.waitingBytes -= size(event);
			}
			return event;
		}
		finally {
			this.lock.unlock();
		}
	}

	void open() {
		set(true);
	}

	void close() {
		set(false);
	}

	int size() {
		this.lock.lock();
		try {
			return this.waiting.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void set(boolean open) {
		this.lock.lock();
		try {
			this.open = open;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private static boolean isRoutine(TaskEvent event) {
		return event instanceof TaskEvent.Enqueued || event instanceof TaskEvent.Started
				|| event instanceof TaskEvent.Succeeded;
	}

	private static long size(TaskEvent event) {
		byte[] payload = event.facts().task().payload();
		return (payload != null) ? payload.length : 0;
	}

}
