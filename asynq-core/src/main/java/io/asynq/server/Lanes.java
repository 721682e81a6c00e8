package io.asynq.server;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ArrayList;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import io.asynq.BrokerUnavailableException;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Where the queues of a server lie. Those on one master of a cluster share a lane;
 * whoever goes over queues goes lane by lane, so that a master that hangs or is away
 * costs only its own queues. A single Redis is a single lane, in the caller's thread.
 * Knows which masters do not answer, and tells it once. Safe for concurrent use.
 */
final class Lanes {

	/** Of queues of which it is not known where they lie. */
	static final String UNKNOWN = "";

	private static final Logger logger = OneLineLogger.of(Lanes.class);

	/** Queues move to other masters; who asks the wrong one is told by Redis. */
	private static final Duration REFRESH = Duration.ofSeconds(10);

	/** How long to wait for the first answer. */
	private static final Duration FIRST = Duration.ofSeconds(1);

	private final Collection<String> queues;

	private final BooleanSupplier partitioned;

	private final Function<Collection<String>, Map<String, String>> places;

	private final Executor threads;

	private final AtomicBoolean asking = new AtomicBoolean();

	private final CountDownLatch asked = new CountDownLatch(1);

	private final Map<String, Boolean> away = new ConcurrentHashMap<>();

	private volatile Map<String, String> masters = Map.of();

	private volatile long nextNanos = System.nanoTime();

	/**
	 * Creates the lanes; Redis is not touched.
	 * @param queues the server's queues
	 * @param partitioned whether they lie on several Redis
	 * @param places tells the address of the one that each queue lies on
	 * @param threads where a lane's work is done, and asked where queues lie
	 */
	Lanes(Collection<String> queues, BooleanSupplier partitioned,
			Function<Collection<String>, Map<String, String>> places, Executor threads) {
		this.queues = queues;
		this.partitioned = partitioned;
		this.places = places;
		this.threads = threads;
	}

	/**
	 * Returns the lane of a Redis that is the only one.
	 * @return the lanes
	 */
	static Lanes single() {
		return new Lanes(List.of(), () -> false, (queues) -> Map.of(), Runnable::run);
	}

	/**
	 * Returns whether one queue may be out of reach while others are not.
	 * @return whether there may be several lanes
	 */
	boolean areSeveral() {
		return this.partitioned.getAsBoolean();
	}

	Executor threads() {
		return this.threads;
	}

	/**
	 * Does something for queues of one lane that nobody waits for. Only where there are
	 * no others that could wait for it meanwhile, it is done when this returns.
	 * @param work what to do
	 */
	void aside(Runnable work) {
		if (areSeveral()) {
			this.threads.execute(work);
		}
		else {
			work.run();
		}
	}

	/**
	 * Puts queues into their lanes.
	 * @param queues the queues
	 * @return the queues of each lane, in their order
	 */
	Map<String, List<String>> of(Collection<String> queues) {
		refreshNowAndThen();
		Map<String, String> present = this.masters;
		Map<String, List<String>> lanes = new LinkedHashMap<>();
		for (String queue : queues) {
			lanes.computeIfAbsent(present.getOrDefault(queue, UNKNOWN), (lane) -> new ArrayList<>()).add(queue);
		}
		return lanes;
	}

	/**
	 * Returns a queue's lane.
	 * @param queue the queue
	 * @return the lane's name, {@link #UNKNOWN} if it is not known
	 */
	String of(String queue) {
		refreshNowAndThen();
		return this.masters.getOrDefault(queue, UNKNOWN);
	}

	/**
	 * Returns which queues share a queue's lane.
	 * @param queue the queue
	 * @return their names, this one included
	 */
	Collection<String> sharingWith(String queue) {
		String lane = this.masters.getOrDefault(queue, UNKNOWN);
		return lane.equals(UNKNOWN) ? List.of(queue) : queuesOf(lane);
	}

	/**
	 * Says that a lane's master did not answer.
	 * @param lane the lane
	 * @param error what was seen of it
	 */
	void failed(String lane, BrokerUnavailableException error) {
		this.nextNanos = System.nanoTime();
		if (!lane.equals(UNKNOWN) && this.away.putIfAbsent(lane, true) == null) {
			logger.warn("Redis node {} does not answer: its queues {} wait, all others go on ({})", lane,
					queuesOf(lane), error.getMessage());
		}
	}

	/**
	 * Says that a lane's master has answered.
	 * @param lane the lane
	 */
	void answered(String lane) {
		if (!this.away.isEmpty() && this.away.remove(lane) != null) {
			logger.info("Redis node {} answers again", lane);
		}
	}

	/**
	 * Returns the masters that do not answer.
	 * @return their queues by their address
	 */
	Map<String, SortedSet<String>> away() {
		Map<String, SortedSet<String>> nodes = new TreeMap<>();
		this.away.keySet().forEach((lane) -> nodes.put(lane, queuesOf(lane)));
		return nodes;
	}

	private SortedSet<String> queuesOf(String lane) {
		SortedSet<String> queues = new TreeSet<>();
		this.masters.forEach((queue, master) -> {
			if (master.equals(lane)) {
				queues.add(queue);
			}
		});
		return queues;
	}

	private void refreshNowAndThen() {
		if (System.nanoTime() - this.nextNanos >= 0 && this.asking.compareAndSet(false, true)) {
			this.nextNanos = System.nanoTime() + REFRESH.toNanos();
			boolean started = false;
			try {
				this.threads.execute(this::ask);
				started = true;
			}
			finally {
				if (!started) {
					this.asking.set(false);
				}
			}
		}
		if (this.asked.getCount() > 0) {
			try {
				this.asked.await(FIRST.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void ask() {
		try {
			Map<String, String> found = this.places.apply(this.queues);
			this.masters = found;
			// Who is no master any more has no queues that could wait
			this.away.keySet().retainAll(found.values());
		}
		catch (RuntimeException ex) {
			logger.debug("It cannot be told where queues lie", ex);
		}
		finally {
			this.asking.set(false);
			this.asked.countDown();
		}
	}

}
