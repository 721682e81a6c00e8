package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.Forwarded;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Makes scheduled and retry tasks pending when they are due: sleeps until the nearest is,
 * and looks again when a nearer one arrives. Where arrivals are not told it looks just
 * after every second turns, because due times are whole seconds.
 */
final class Forwarder extends PeriodicComponent {

	/** Lets the arrivals of one burst gather, so that they cost one look. */
	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(20);

	/** How long after the turn of a second to look: Redis reads its clock in steps. */
	private static final Duration AFTER_TURN = Duration.ofMillis(2);

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Logger logger = OneLineLogger.of(Forwarder.class);

	private final ServerRuntime runtime;

	private final ArrivalSignals arrivals;

	private final Set<String> changed = ConcurrentHashMap.newKeySet();

	/** Nano times by queue. */
	private final Map<String, Long> nextLook = new ConcurrentHashMap<>();

	private @Nullable Long lastLook;

	Forwarder(ServerRuntime runtime, ArrivalSignals arrivals) {
		super(ServerPhase.FORWARDER, runtime.loops());
		this.runtime = runtime;
		this.arrivals = arrivals;
	}

	/**
	 * A task was scheduled in a queue, or is to be retried.
	 * @param queue the queue
	 */
	void arrived(String queue) {
		if (this.changed.add(queue)) {
			wake();
		}
	}

	/**
	 * Arrivals may have been missed, or are not told any more.
	 */
	void checkAll() {
		this.changed.addAll(queues());
		wake();
	}

	@Override
	protected void starting() {
		this.changed.clear();
		this.nextLook.clear();
		this.lastLook = null;
	}

	@Override
	protected Duration runOnce() {
		long now = System.nanoTime();
		if (this.lastLook != null && now - this.lastLook < SHORTEST_PAUSE.toNanos()) {
			return SHORTEST_PAUSE.minusNanos(now - this.lastLook);
		}
		this.lastLook = now;
		List<String> toLookAt = queues().stream().filter((queue) -> isLookDue(queue, now)).toList();
		toLookAt.forEach(this.nextLook::remove);
		this.changed.removeAll(toLookAt);
		// Before looking, so that nothing comes unnoticed in between
		this.arrivals.watchDelayed(toLookAt);
		this.runtime.round("asynq-forwarder").each(toLookAt, (queue) -> this.nextLook.put(queue, forward(queue)));
		long pause = this.runtime.options().delayedTaskCheckInterval().toNanos();
		for (long due : this.nextLook.values()) {
			pause = Math.min(pause, due - now);
		}
		if (this.nextLook.size() < queues().size()) {
			// A node of a cluster is late, and not waited for
			pause = Math.min(pause, SECOND.toNanos());
		}
		return Duration.ofNanos(pause - (System.nanoTime() - now));
	}

	private boolean isLookDue(String queue, long now) {
		Long due = this.nextLook.get(queue);
		return due == null || due - now <= 0 || this.changed.contains(queue);
	}

	private long forward(String queue) {
		Duration latest = this.arrivals.isLive() ? this.runtime.options().delayedTaskCheckInterval() : SECOND;
		Forwarded forwarded;
		try {
			do {
				forwarded = this.runtime.broker().forwarder().forward(queue);
			}
			while (forwarded.more() && goesOn());
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (BrokerException ex) {
			// Looked at again like the others, not at once
			this.nextLook.put(queue, System.nanoTime() + latest.toNanos());
			throw ex;
		}
		Instant due = forwarded.nextDue();
		logger.debug("Queue '{}': forwarded {}, next due {}", queue, forwarded.moved(), due);
		long looked = System.nanoTime();
		if (!this.arrivals.isLive()) {
			latest = SECOND.minusNanos(forwarded.now().getNano()).plus(AFTER_TURN);
		}
		Duration untilDue = (due != null) ? Duration.between(forwarded.now(), due.plus(AFTER_TURN)) : latest;
		return looked + ((untilDue.compareTo(latest) < 0) ? untilDue : latest).toNanos();
	}

	private Set<String> queues() {
		return this.runtime.options().queues().weights().keySet();
	}

}
