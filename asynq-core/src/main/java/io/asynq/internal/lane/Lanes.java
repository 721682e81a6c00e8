package io.asynq.internal.lane;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The queues on one master of a cluster share a lane, so that a master that hangs or is
 * down affects only its own queues; a single Redis is a single lane, in the caller's
 * thread.
 */
public final class Lanes {

	public static final String UNKNOWN = "";

	private static final Logger logger = OneLineLogger.of(Lanes.class);

	/**
	 * Queues may move to other masters; Redis redirects requests that go to the old one.
	 */
	private static final Duration REFRESH = Duration.ofSeconds(10);

	private static final Duration FIRST = Duration.ofSeconds(1);

	private final Collection<String> queues;

	private final BooleanSupplier partitioned;

	private final Function<Collection<String>, Map<String, String>> places;

	private final Executor executor;

	private final LoopErrorLog errors;

	private final Duration patience;

	private final AtomicBoolean asking = new AtomicBoolean();

	private final CountDownLatch asked = new CountDownLatch(1);

	private final Map<String, Boolean> away = new ConcurrentHashMap<>();

	private volatile Map<String, String> masters = Map.of();

	private volatile long nextNanos = System.nanoTime();

	/**
	 * @param partitioned whether the queues are spread over several Redis servers
	 * @param places returns the address of the server of each queue
	 */
	public Lanes(Collection<String> queues, BooleanSupplier partitioned,
			Function<Collection<String>, Map<String, String>> places, LoopErrorLog errors) {
		this(queues, partitioned, places, newThreads(), errors);
	}

	public Lanes(Collection<String> queues, BooleanSupplier partitioned,
			Function<Collection<String>, Map<String, String>> places, Executor executor, LoopErrorLog errors) {
		this(queues, partitioned, places, executor, errors, LaneThreads.PATIENCE);
	}

	Lanes(Collection<String> queues, BooleanSupplier partitioned,
			Function<Collection<String>, Map<String, String>> places, Executor executor, LoopErrorLog errors,
			Duration patience) {
		this.patience = patience;
		this.queues = queues;
		this.partitioned = partitioned;
		this.places = places;
		this.executor = executor;
		this.errors = errors;
	}

	public static Lanes single() {
		return new Lanes(List.of(), () -> false, (queues) -> Map.of(), Runnable::run, new LoopErrorLog());
	}

	public boolean areSeveral() {
		return this.partitioned.getAsBoolean();
	}

	public Executor executor() {
		return this.executor;
	}

	public LoopErrorLog errors() {
		return this.errors;
	}

	public LaneThreads threads(String subject) {
		return new LaneThreads(subject, this.executor, this.errors, this.patience);
	}

	/** With several lanes another thread runs it; otherwise it is done at the return. */
	public void aside(Runnable work) {
		if (areSeveral()) {
			this.executor.execute(work);
		}
		else {
			work.run();
		}
	}

	/**
	 * With several lanes one that hangs is awaited once, for a moment.
	 * @param subject what it is, which is done once at a time
	 */
	public void inform(LaneThreads threads, String subject, Runnable work) {
		if (areSeveral()) {
			threads.run(Map.of(subject, work));
		}
		else {
			work.run();
		}
	}

	public <T> @Nullable T ask(LaneThreads threads, String subject, Supplier<? extends @Nullable T> question) {
		AtomicReference<@Nullable T> answer = new AtomicReference<>();
		inform(threads, subject, () -> answer.set(question.get()));
		return answer.get();
	}

	public Map<String, List<String>> of(Collection<String> queues) {
		refreshNowAndThen();
		Map<String, String> present = this.masters;
		Map<String, List<String>> lanes = new LinkedHashMap<>();
		for (String queue : queues) {
			lanes.computeIfAbsent(present.getOrDefault(queue, UNKNOWN), (lane) -> new ArrayList<>()).add(queue);
		}
		return lanes;
	}

	/** Returns {@link #UNKNOWN} if the lane is not known. */
	public String of(String queue) {
		refreshNowAndThen();
		return this.masters.getOrDefault(queue, UNKNOWN);
	}

	/**
	 * @param master {@code null} if the answering one has not said who serves the queue
	 */
	public synchronized boolean moved(String queue, @Nullable String master) {
		if (master == null) {
			this.nextNanos = System.nanoTime();
			return false;
		}
		Map<String, String> present = new HashMap<>(this.masters);
		boolean changed = !master.equals(present.put(queue, master));
		this.masters = present;
		return changed;
	}

	public Collection<String> sharingWith(String queue) {
		String lane = this.masters.getOrDefault(queue, UNKNOWN);
		return lane.equals(UNKNOWN) ? List.of(queue) : queuesOf(lane);
	}

	public void failed(String lane, BrokerUnavailableException error) {
		this.nextNanos = System.nanoTime();
		SortedSet<String> its = queuesOf(lane);
		// A master whose queues have moved meanwhile is missed by nobody
		if (!lane.equals(UNKNOWN) && !its.isEmpty() && this.away.putIfAbsent(lane, true) == null) {
			logger.warn("Redis node {} does not answer: its queues {} wait, all others continue ({})", lane, its,
					error.getMessage());
		}
	}

	public void answered(String lane) {
		if (!this.away.isEmpty() && this.away.remove(lane) != null) {
			logger.info("Redis node {} answers again", lane);
		}
	}

	public Map<String, SortedSet<String>> away() {
		Map<String, SortedSet<String>> nodes = new TreeMap<>();
		this.away.keySet().forEach((lane) -> nodes.put(lane, queuesOf(lane)));
		return nodes;
	}

	private static Executor newThreads() {
		CustomizableThreadFactory factory = new CustomizableThreadFactory("asynq-lane-");
		factory.setDaemon(true);
		return Executors.newCachedThreadPool(factory);
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
			try {
				this.executor.execute(this::ask);
			}
			catch (Throwable ex) {
				this.asking.set(false);
				throw ex;
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
			synchronized (this) {
				this.masters = found;
			}
			// A node that is no longer a master has no queues that could wait
			this.away.keySet().retainAll(found.values());
		}
		catch (RuntimeException ex) {
			logger.debug("The location of queues could not be determined", ex);
		}
		finally {
			this.asking.set(false);
			this.asked.countDown();
		}
	}

}
