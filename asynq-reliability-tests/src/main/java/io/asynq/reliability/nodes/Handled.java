package io.asynq.reliability.nodes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskContext;

/**
 * Handles tasks of two types: some that carry their enqueue time, and some that take
 * long.
 */
final class Handled {

	static final String PROBE = "probe";

	static final String LONG = "long";

	private final List<Long> waited = Collections.synchronizedList(new ArrayList<>());

	private final Set<String> begun = ConcurrentHashMap.newKeySet();

	private final Set<String> interrupted = ConcurrentHashMap.newKeySet();

	private final CountDownLatch end = new CountDownLatch(1);

	@TaskHandler(PROBE)
	void probe(String sentNanos) {
		this.waited.add(System.nanoTime() - Long.parseLong(sentNanos));
	}

	@TaskHandler(LONG)
	void last(TaskContext context) {
		this.begun.add(context.queue());
		try {
			this.end.await();
		}
		catch (InterruptedException ex) {
			this.interrupted.add(context.queue());
		}
	}

	int begun() {
		return this.begun.size();
	}

	Set<String> interrupted() {
		return this.interrupted;
	}

	int probes() {
		return this.waited.size();
	}

	/**
	 * Returns how long tasks waited for their handler.
	 * @param part the quantile
	 * @return the time, zero without tasks
	 */
	Duration pickUp(double part) {
		List<Long> sorted;
		synchronized (this.waited) {
			sorted = new ArrayList<>(this.waited);
		}
		Collections.sort(sorted);
		return sorted.isEmpty() ? Duration.ZERO : Duration.ofNanos(sorted.get((int) ((sorted.size() - 1) * part)));
	}

	void end() {
		this.end.countDown();
	}

}
