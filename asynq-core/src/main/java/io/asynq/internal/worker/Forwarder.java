package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.lane.WorkFinder;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.TaskUpkeep.Forwarded;
import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Where arrivals are not announced, it looks just after each full second, because due
 * times are whole seconds.
 */
public final class Forwarder extends PeriodicComponent {

	/** Lets the arrivals of one burst gather, so that they cost one look. */
	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(20);

	/** How long after a full second to look: Redis reads its clock in steps. */
	private static final Duration AFTER_TURN = Duration.ofMillis(2);

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Logger logger = OneLineLogger.of(Forwarder.class);

	private final TaskUpkeep tasks;

	private final ServerOptions options;

	private final ArrivalSignals arrivals;

	private final QueueRound round;

	private final Map<String, Long> nextLook = new ConcurrentHashMap<>();

	private @Nullable Long lastLook;

	public Forwarder(TaskUpkeep tasks, ServerOptions options, ArrivalSignals arrivals, QueueRound round, Loops loops) {
		super(ServerPhase.FORWARDER, loops);
		this.tasks = tasks;
		this.options = options;
		this.arrivals = arrivals;
		this.round = round;
	}

	@Override
	protected void starting() {
		this.arrivals.forgetDelayed();
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
		this.arrivals.watchDelayed(toLookAt);
		this.round.each(WorkFinder.Kind.FORWARD, toLookAt, (queue) -> this.nextLook.put(queue, forward(queue)),
				(queue, found) -> this.nextLook.put(queue,
						nextLook(queue, found.next(queue), found.now(), found.receivedNanos())));
		long pause = this.options.delayedTaskCheckInterval().toNanos();
		for (long due : this.nextLook.values()) {
			pause = Math.min(pause, due - now);
		}
		if (this.nextLook.size() < queues().size()) {
			// A cluster node is late and was not awaited
			pause = Math.min(pause, SECOND.toNanos());
		}
		return Duration.ofNanos(pause - (System.nanoTime() - now));
	}

	private boolean isLookDue(String queue, long now) {
		Long due = this.nextLook.get(queue);
		return due == null || due - now <= 0 || this.arrivals.isDelayed(queue);
	}

	private long forward(String queue) {
		Forwarded forwarded;
		try {
			do {
				forwarded = this.tasks.forward(queue);
			}
			while (forwarded.more() && shouldContinue());
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (BrokerException ex) {
			// Retried at the usual interval, not at once
			this.nextLook.put(queue, System.nanoTime() + interval(queue).toNanos());
			throw ex;
		}
		logger.debug("Queue {}: forwarded {}, next due {}", queue, forwarded.moved(), forwarded.nextDue());
		return nextLook(queue, forwarded.nextDue(), forwarded.now(), System.nanoTime());
	}

	private long nextLook(String queue, @Nullable Instant due, Instant now, long looked) {
		Duration interval = interval(queue);
		// All queues at the same time, so that one call looks at all of them
		long latest = this.arrivals.isLive(queue) ? interval.toNanos() - Math.floorMod(looked, interval.toNanos())
				: SECOND.minusNanos(now.getNano()).plus(AFTER_TURN).toNanos();
		Duration untilDue = (due != null) ? Duration.between(now, due.plus(AFTER_TURN)) : interval;
		return looked + ((untilDue.compareTo(Duration.ofNanos(latest)) < 0) ? untilDue.toNanos() : latest);
	}

	private Duration interval(String queue) {
		return this.arrivals.isLive(queue) ? this.options.delayedTaskCheckInterval() : SECOND;
	}

	private Set<String> queues() {
		return this.options.queues().weights().keySet();
	}

}
