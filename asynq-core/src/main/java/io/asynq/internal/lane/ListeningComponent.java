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
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.PeriodicRunner;
import io.asynq.internal.lifecycle.ServerPhase;

/**
 * Listens to the only Redis or, on a cluster, to each master that serves queues of this
 * server, each in a thread of its own: a master that hangs delays no other.
 */
public abstract class ListeningComponent extends PeriodicComponent {

	protected static final Duration INTERVAL = Duration.ofSeconds(1);

	private static final Duration OFTEN = Duration.ofMillis(250);

	private static final Duration SOON = Duration.ofMillis(100);

	private final String threads;

	private final Collection<String> queues;

	private final Lanes lanes;

	private final Loops loops;

	private final SubscriptionLoop single = new SubscriptionLoop();

	private final Map<String, Running> running = new HashMap<>();

	/** Counts starts: a run that a stop has left behind must not go on after the next. */
	private final AtomicInteger starts = new AtomicInteger();

	private Map<String, String> places = Map.of();

	private boolean open;

	protected ListeningComponent(ServerPhase phase, String threads, Collection<String> queues, Lanes lanes,
			Loops loops) {
		super(phase, loops);
		expectEndlessRuns();
		this.threads = threads;
		this.queues = queues;
		this.lanes = lanes;
		this.loops = loops;
	}

	/** May ask Redis. */
	protected abstract boolean areSpread();

	/** To the only Redis, until the subscription ends. */
	protected abstract Duration listen(SubscriptionLoop subscriptions);

	/** Returns what listens to one master of a cluster until the subscription ends. */
	protected abstract PeriodicRunner.Job at(String master, SubscriptionLoop subscriptions);

	protected void moved(Collection<String> queues) {
	}

	@Override
	protected void starting() {
		this.starts.incrementAndGet();
		this.single.open();
		synchronized (this) {
			this.open = true;
			this.places = Map.of();
		}
	}

	@Override
	protected Duration runOnce() {
		int start = this.starts.get();
		boolean spread = areSpread();
		if (start != this.starts.get()) {
			return Duration.ZERO;
		}
		return spread ? follow() : listen(this.single);
	}

	/** To be called by another thread, as it may wait for Redis. */
	protected final void endAll() {
		synchronized (this) {
			this.open = false;
			this.running.values().forEach(Running::end);
			this.running.clear();
		}
		this.single.close();
	}

	protected Duration follow() {
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
			moved(moved);
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
		masters.forEach((master) -> this.running.computeIfAbsent(master, this::run));
		return moved;
	}

	private Running run(String master) {
		SubscriptionLoop subscriptions = new SubscriptionLoop();
		subscriptions.open();
		PeriodicRunner runner = new PeriodicRunner(this.threads + master, at(master, subscriptions),
				this.loops.errors(), true);
		runner.start();
		return new Running(runner, subscriptions);
	}

	private record Running(PeriodicRunner runner, SubscriptionLoop subscriptions) {

		void end() {
			this.runner.stop(Duration.ZERO);
			this.subscriptions.close();
		}

	}

}
