package io.asynq.internal.enqueue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

import io.asynq.BrokerException;
import io.asynq.internal.redis.Batches;
import io.asynq.internal.redis.driver.CallTime;

/**
 * Callers that come while a call is under way go together in the next one, on a thread
 * that is none of theirs: neither an interrupt nor a deep stack of one ends it for
 * others.
 */
final class SharedCalls {

	/** More of them gain nothing: by then whoever may run has run. */
	private static final int MOST_YIELDS = 4;

	private final Store store;

	private final Executor senders;

	private final Duration patience;

	private final Queue<WaitingTask> waiting = new ConcurrentLinkedQueue<>();

	/** One sender at a time looks at the first in the line and takes it out. */
	private final ReentrantLock taking = new ReentrantLock();

	/** How many more calls may be under way. */
	private final AtomicInteger free;

	/** Whoever has waited longer than {@code patience} makes its own call. */
	SharedCalls(Store store, int atOnce, Executor senders, Duration patience) {
		this.store = store;
		this.free = new AtomicInteger(atOnce);
		this.senders = senders;
		this.patience = patience;
	}

	long store(NewTask task) {
		if (this.waiting.isEmpty() && begin()) {
			try {
				return this.store.store(task);
			}
			finally {
				end();
			}
		}
		WaitingTask place = new WaitingTask(task, this.patience);
		this.waiting.add(place);
		serveNext();
		return place.await(this::serveNext) ? place.code() : this.store.store(task);
	}

	private boolean begin() {
		int now = this.free.get();
		while (now > 0) {
			if (this.free.compareAndSet(now, now - 1)) {
				return true;
			}
			now = this.free.get();
		}
		return false;
	}

	private void end() {
		this.free.incrementAndGet();
		serveNext();
	}

	/** Nothing to do if whoever is under way will see those who wait at its end. */
	private void serveNext() {
		if (!this.waiting.isEmpty() && begin()) {
			try {
				this.senders.execute(this::serve);
			}
			catch (Throwable ex) {
				// No thread can be had, or this is closed. Free at first: who comes too
				// late to be told begins the next call
				this.free.incrementAndGet();
				for (WaitingTask next = this.waiting.poll(); next != null; next = this.waiting.poll()) {
					if (next.claim()) {
						next.leave();
					}
				}
			}
		}
	}

	private void serve() {
		do {
			try {
				serveAll();
			}
			finally {
				this.free.incrementAndGet();
			}
		}
		while (!this.waiting.isEmpty() && begin());
	}

	private void serveAll() {
		// Made before somebody is taken out of the line, because memory may be short
		WaitingTask[] places = new WaitingTask[Batches.MAX_ITEMS];
		List<WaitingTask> all = Arrays.asList(places);
		for (int count = take(places); count > 0; count = take(places)) {
			send(all, count);
			Arrays.fill(places, 0, count, null);
			letComeBack(count);
		}
	}

	/** Whoever enqueues again at once then goes with all others, not before or after. */
	private void letComeBack(int answered) {
		for (int i = 0; answered > 1 && i < MOST_YIELDS && this.waiting.size() < answered; i++) {
			Thread.yield();
		}
	}

	private int take(WaitingTask[] places) {
		this.taking.lock();
		try {
			return takeOneByOne(places);
		}
		finally {
			this.taking.unlock();
		}
	}

	private int takeOneByOne(WaitingTask[] places) {
		int count = 0;
		long bytes = 0;
		while (count < places.length) {
			WaitingTask next = this.waiting.peek();
			if (next == null || count > 0 && bytes + next.task().bytes().length > Batches.MAX_BYTES) {
				return count;
			}
			// It may have been sent away meanwhile
			if (this.waiting.remove(next) && next.claim()) {
				places[count++] = next;
				bytes += next.task().bytes().length;
			}
		}
		return count;
	}

	/** Answers every one of them, whatever happens. */
	private void send(List<WaitingTask> places, int count) {
		int answered = 0;
		try {
			List<StoreAnswer> answers = answersInTime(places.subList(0, count));
			while (answered < count) {
				places.get(answered).answer(answers.get(answered));
				answered++;
			}
		}
		catch (Throwable ex) {
			while (answered < count) {
				places.get(answered).fail(ex);
				answered++;
			}
		}
	}

	/** Ends when the time of the first of them does. */
	private List<StoreAnswer> answersInTime(List<WaitingTask> places) {
		List<NewTask> tasks = places.stream().map(WaitingTask::task).toList();
		CallTime first = null;
		for (WaitingTask place : places) {
			CallTime time = place.time();
			if (time != null && (first == null || time.isBefore(first))) {
				first = time;
			}
		}
		return (first != null) ? first.makeAnother(() -> answers(tasks)) : answers(tasks);
	}

	private List<StoreAnswer> answers(List<NewTask> tasks) {
		if (tasks.size() > 1) {
			return this.store.storeAll(tasks);
		}
		try {
			return List.of(StoreAnswer.of(this.store.store(tasks.get(0))));
		}
		catch (BrokerException ex) {
			return List.of(StoreAnswer.of(ex));
		}
	}

	interface Store {

		long store(NewTask task);

		List<StoreAnswer> storeAll(List<NewTask> tasks);

	}

}
