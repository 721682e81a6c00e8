package io.asynq.internal.worker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.asynq.AsynqException;
import io.asynq.internal.lane.LaneThreads;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lifecycle.Waker;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Queues whose arrivals are being announced need not be polled.
 */
public final class ArrivalSignals {

	private static final Logger logger = OneLineLogger.of(ArrivalSignals.class);

	private static final String SUBJECT = "asynq-arrival-watch";

	private final Collection<String> queues;

	private final QueueReadiness readiness;

	private final Waker processor;

	private final Waker forwarder;

	private final Lanes lanes;

	private final LaneThreads watchingPending;

	private final LaneThreads watchingDelayed;

	/** Queues in which a task was scheduled or set to retry since the last look. */
	private final Set<String> delayed = ConcurrentHashMap.newKeySet();

	/** What announces arrivals, by lane. */
	private final Map<String, ArrivalSubscription> live = new ConcurrentHashMap<>();

	/** Queues that were not found where they were expected, to be tried again. */
	private final Set<String> astray = ConcurrentHashMap.newKeySet();

	private boolean open;

	public ArrivalSignals(Collection<String> queues, QueueReadiness readiness, Waker processor, Waker forwarder,
			Lanes lanes) {
		this.queues = queues;
		this.readiness = readiness;
		this.processor = processor;
		this.forwarder = forwarder;
		this.lanes = lanes;
		this.watchingPending = lanes.threads(SUBJECT);
		this.watchingDelayed = lanes.threads(SUBJECT);
	}

	public void onPending(String queue) {
		if (this.readiness.mark(queue)) {
			this.processor.wake();
		}
	}

	public void onDelayed(String queue) {
		if (this.delayed.add(queue)) {
			this.forwarder.wake();
		}
	}

	public void onMissed(Collection<String> queues) {
		queues.forEach(this.readiness::mark);
		this.processor.wake();
		this.delayed.addAll(queues);
		this.forwarder.wake();
	}

	/** Arrivals may have been missed, and what has failed may work. */
	public void onNewMaster(Collection<String> queues) {
		this.readiness.renew(queues);
		onMissed(queues);
	}

	/**
	 * Polled until {@link #tryAgain()}; returns whether it is known better where to
	 * watch.
	 * @param master the address of the one that serves it, {@code null} if not known
	 */
	public boolean onMoved(String queue, @Nullable String master) {
		boolean found = this.lanes.moved(queue, master);
		if (found) {
			this.astray.remove(queue);
		}
		else {
			this.astray.add(queue);
		}
		onMissed(List.of(queue));
		return found;
	}

	public void tryAgain() {
		List<String> again = List.copyOf(this.astray);
		if (!again.isEmpty()) {
			again.forEach(this.astray::remove);
			onMissed(again);
		}
	}

	public boolean isDelayed(String queue) {
		return this.delayed.contains(queue);
	}

	/** A forwarder that starts looks at all queues anyway. */
	public void forgetDelayed() {
		this.delayed.clear();
	}

	public boolean isLive(String queue) {
		return !this.live.isEmpty() && !this.astray.contains(queue) && this.live.containsKey(lane(queue));
	}

	boolean areAllLive() {
		return this.queues.stream().allMatch(this::isLive);
	}

	public List<String> queuesOf(String lane) {
		return this.queues.stream().filter((queue) -> lane(queue).equals(lane)).toList();
	}

	public synchronized void open() {
		this.open = true;
		this.astray.clear();
	}

	/** Errors of a watch in progress are ignored from now on. */
	public synchronized void close() {
		this.open = false;
		this.live.clear();
	}

	public synchronized void setLive(String lane, ArrivalSubscription subscription) {
		if (this.open) {
			this.live.put(lane, subscription);
		}
	}

	/** Another subscription stays: its loop may have been abandoned and started again. */
	public synchronized void lost(String lane, ArrivalSubscription subscription) {
		this.live.remove(lane, subscription);
	}

	/** Returns whether a queue is no longer empty, or could not be watched. */
	boolean watchPending() {
		AtomicBoolean found = new AtomicBoolean();
		run(this.watchingPending, byLane(this.readiness.unwatched()), (lane, its) -> {
			if (watchPending(lane)) {
				found.set(true);
			}
		});
		return found.get();
	}

	/** Call it before looking at these tasks, so that no change is missed in between. */
	public void watchDelayed(Collection<String> queues) {
		this.delayed.removeAll(queues);
		run(this.watchingDelayed, byLane(queues), (lane, its) -> {
			long start = System.nanoTime();
			ArrivalSubscription present = this.live.get(lane);
			if (present != null) {
				try {
					present.watchDelayed(its);
				}
				catch (AsynqException ex) {
					giveUp(lane, present, ex);
				}
			}
			if (this.watchingDelayed.isLate(start)) {
				// The look was not delayed by it, nor was another call of the lane made
				queuesOf(lane).forEach(this::onDelayed);
			}
		});
	}

	/** Includes queues that come to be watched meanwhile. */
	private boolean watchPending(String lane) {
		boolean found = false;
		ArrivalSubscription present = this.live.get(lane);
		List<String> its = (present != null) ? takeUnwatched(lane) : List.of();
		while (!its.isEmpty()) {
			try {
				Collection<String> ready = present.watchPending(its);
				found |= !ready.isEmpty();
				ready.forEach(this::onPending);
				its = takeUnwatched(lane);
			}
			catch (AsynqException ex) {
				giveUp(lane, present, ex);
				its.forEach(this::onPending);
				return true;
			}
		}
		return found;
	}

	private List<String> takeUnwatched(String lane) {
		List<String> taken = new ArrayList<>();
		for (String queue : this.readiness.unwatched()) {
			if (lane(queue).equals(lane) && !this.astray.contains(queue) && this.readiness.takeUnwatched(queue)) {
				taken.add(queue);
			}
		}
		return taken;
	}

	private Map<String, List<String>> byLane(Collection<String> queues) {
		Map<String, List<String>> lanes = new HashMap<>();
		for (String queue : queues) {
			if (isLive(queue)) {
				lanes.computeIfAbsent(lane(queue), (lane) -> new ArrayList<>()).add(queue);
			}
		}
		return lanes;
	}

	private void run(LaneThreads threads, Map<String, List<String>> byLane, LaneWork work) {
		if (!this.lanes.areSeveral()) {
			byLane.forEach(work::run);
			return;
		}
		Map<String, Runnable> jobs = new HashMap<>();
		byLane.forEach((lane, its) -> jobs.put(lane, () -> work.run(lane, its)));
		threads.run(jobs);
	}

	private String lane(String queue) {
		return this.lanes.areSeveral() ? this.lanes.of(queue) : Lanes.UNKNOWN;
	}

	/** The reading connection is broken; its listener opens another. */
	private void giveUp(String lane, ArrivalSubscription broken, AsynqException why) {
		synchronized (this) {
			if (!this.live.remove(lane, broken)) {
				return;
			}
		}
		if (lane.equals(Lanes.UNKNOWN)) {
			this.lanes.errors().warn(SUBJECT, why);
		}
		else {
			// If the master is away, all who ask it say so together, once
			logger.debug("{}: {}", SUBJECT, lane, why);
		}
		broken.close();
	}

	private interface LaneWork {

		void run(String lane, List<String> queues);

	}

}
