package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.Forwarded;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes scheduled and retry tasks pending when they are due: sleeps until the nearest is,
 * and looks again when a nearer one arrives. Where arrivals are not told it looks just
 * after every second turns, because due times are whole seconds.
 */
final class Forwarder extends PeriodicComponent {

	/** Lets the arrivals of one burst gather, so that they cost one look. */
	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(20);

	/** How long after the turn of a second to look: clocks are read in milliseconds. */
	private static final Duration AFTER_TURN = Duration.ofMillis(2);

	private static final Logger logger = LoggerFactory.getLogger(Forwarder.class);

	private final ServerRuntime runtime;

	private final ArrivalSignals arrivals;

	private final Set<String> changed = ConcurrentHashMap.newKeySet();

	private final Map<String, Instant> nextLook = new HashMap<>();

	private @Nullable Instant lastLook;

	Forwarder(ServerRuntime runtime, ArrivalSignals arrivals) {
		super(ServerPhase.FORWARDER, runtime.autoStartup(), runtime.errors());
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
		Instant now = this.runtime.clock().instant();
		if (this.lastLook != null && now.isBefore(this.lastLook.plus(SHORTEST_PAUSE)) && !now.isBefore(this.lastLook)) {
			return Duration.between(now, this.lastLook.plus(SHORTEST_PAUSE));
		}
		this.lastLook = now;
		List<String> toLookAt = queues().stream().filter((queue) -> isLookDue(queue, now)).toList();
		toLookAt.forEach(this.nextLook::remove);
		this.changed.removeAll(toLookAt);
		// Before looking, so that nothing comes unnoticed in between
		this.arrivals.watchDelayed(toLookAt);
		this.runtime.round("asynq-forwarder").each(toLookAt, (queue) -> this.nextLook.put(queue, forward(queue, now)));
		Instant next = now.plus(this.runtime.options().delayedTaskCheckInterval());
		for (Instant due : this.nextLook.values()) {
			next = due.isBefore(next) ? due : next;
		}
		return Duration.between(this.runtime.clock().instant(), next);
	}

	private boolean isLookDue(String queue, Instant now) {
		Instant due = this.nextLook.get(queue);
		return due == null || !due.isAfter(now) || this.changed.contains(queue);
	}

	private Instant forward(String queue, Instant now) {
		Instant latest = this.arrivals.isLive() ? now.plus(this.runtime.options().delayedTaskCheckInterval())
				: now.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1).plus(AFTER_TURN);
		Forwarded forwarded;
		try {
			do {
				forwarded = this.runtime.broker().forwarder().forward(queue);
			}
			while (forwarded.more() && isRunning());
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (BrokerException ex) {
			// Looked at again like the others, not at once
			this.nextLook.put(queue, latest);
			throw ex;
		}
		Instant due = forwarded.nextDue();
		logger.debug("Queue '{}': forwarded {}, next due {}", queue, forwarded.moved(), due);
		return (due != null && due.plus(AFTER_TURN).isBefore(latest)) ? due.plus(AFTER_TURN) : latest;
	}

	private Set<String> queues() {
		return this.runtime.options().queues().weights().keySet();
	}

}
