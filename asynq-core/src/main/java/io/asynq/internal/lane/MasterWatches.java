package io.asynq.internal.lane;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.PeriodicRunner;

/**
 * One watch, with a thread of its own, for each master of a cluster that serves queues of
 * this server: a master that hangs delays no other.
 */
public final class MasterWatches {

	public static final Duration INTERVAL = Duration.ofSeconds(1);

	private static final Duration OFTEN = Duration.ofMillis(250);

	private static final Duration SOON = Duration.ofMillis(100);

	private final Collection<String> queues;

	private final Lanes lanes;

	private final Consumer<Collection<String>> onMoved;

	private final Function<String, Running> starter;

	private final Map<String, Running> running = new HashMap<>();

	private Map<String, String> places = Map.of();

	private boolean open;

	public MasterWatches(Collection<String> queues, Lanes lanes, Consumer<Collection<String>> onMoved,
			Function<String, Running> starter) {
		this.queues = queues;
		this.lanes = lanes;
		this.onMoved = onMoved;
		this.starter = starter;
	}

	public synchronized void open() {
		this.open = true;
		this.places = Map.of();
	}

	public synchronized void close() {
		this.open = false;
		this.running.values().forEach(Running::end);
		this.running.clear();
	}

	public Duration follow() {
		if (!this.lanes.areSeveral()) {
			// The first script of the server will tell
			return SOON;
		}
		Map<String, String> present = new TreeMap<>();
		for (String queue : this.queues) {
			String master = this.lanes.of(queue);
			if (!master.equals(Lanes.UNKNOWN)) {
				present.put(queue, master);
			}
		}
		List<String> moved = follow(present);
		if (!moved.isEmpty()) {
			this.onMoved.accept(moved);
		}
		// Another master may take the place of one that is away at any moment
		return this.lanes.away().isEmpty() ? INTERVAL : OFTEN;
	}

	private synchronized List<String> follow(Map<String, String> present) {
		if (!this.open) {
			return List.of();
		}
		List<String> moved = new ArrayList<>();
		present.forEach((queue, master) -> {
			if (!master.equals(this.places.getOrDefault(queue, master))) {
				moved.add(queue);
			}
		});
		// Where nobody serves a queue for a moment, it may come back
		Map<String, String> known = new HashMap<>(this.places);
		known.putAll(present);
		this.places = known;
		Set<String> masters = new TreeSet<>(known.values());
		for (String old : List.copyOf(this.running.keySet())) {
			if (!masters.contains(old)) {
				this.running.remove(old).end();
			}
		}
		masters.forEach((master) -> this.running.computeIfAbsent(master, this.starter));
		return moved;
	}

	public record Running(PeriodicRunner runner, SubscriptionLoop subscriptions) {

		public static Running start(String name, LoopErrorLog errors,
				Function<SubscriptionLoop, PeriodicRunner.Job> job) {
			SubscriptionLoop subscriptions = new SubscriptionLoop();
			subscriptions.open();
			PeriodicRunner runner = new PeriodicRunner(name, job.apply(subscriptions), errors, true);
			runner.start();
			return new Running(runner, subscriptions);
		}

		void end() {
			this.runner.stop(Duration.ZERO);
			this.subscriptions.close();
		}

	}

}
