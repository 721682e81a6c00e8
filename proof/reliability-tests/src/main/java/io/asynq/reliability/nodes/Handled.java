package io.asynq.reliability.nodes;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskContext;
import io.asynq.reliability.check.StandstillWatch.Standstill;

/** Some tasks carry their enqueue time, and some take long. */
final class Handled {

	static final String PROBE = "probe";

	static final String LONG = "long";

	private final List<Wait> waited = Collections.synchronizedList(new ArrayList<>());

	private final Set<String> begun = ConcurrentHashMap.newKeySet();

	private final Set<String> interrupted = ConcurrentHashMap.newKeySet();

	private final CountDownLatch end = new CountDownLatch(1);

	private final Clock clock;

	Handled(Clock clock) {
		this.clock = clock;
	}

	@TaskHandler(PROBE)
	void probe(String sentNanos) {
		Duration time = Duration.ofNanos(System.nanoTime() - Long.parseLong(sentNanos));
		this.waited.add(new Wait(this.clock.instant(), time));
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

	Duration pickUp(double part, List<Standstill> standstills) {
		List<Duration> sorted;
		synchronized (this.waited) {
			sorted = new ArrayList<>(this.waited.stream().map((wait) -> wait.without(standstills)).toList());
		}
		Collections.sort(sorted);
		return sorted.isEmpty() ? Duration.ZERO : sorted.get((int) ((sorted.size() - 1) * part));
	}

	/**
	 * Returns how long the task waited that waited longest for its handler while the
	 * machine did not stand still.
	 */
	Duration pickUpSince(int first, List<Standstill> standstills) {
		synchronized (this.waited) {
			return this.waited.subList(Math.min(first, this.waited.size()), this.waited.size())
				.stream()
				.map((wait) -> wait.without(standstills))
				.max(Duration::compareTo)
				.orElse(Duration.ZERO);
		}
	}

	void end() {
		this.end.countDown();
	}

	/** The wait of a task. */
	private record Wait(Instant end, Duration time) {

		Duration without(List<Standstill> standstills) {
			Instant start = this.end.minus(this.time);
			return standstills.stream()
				.map((standstill) -> standstill.within(start, this.end))
				.reduce(this.time, Duration::minus);
		}

	}

}
