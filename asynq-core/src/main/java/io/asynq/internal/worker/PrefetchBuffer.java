package io.asynq.internal.worker;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.asynq.server.QueueWeights;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that have leases and wait for a slot.
 */
public final class PrefetchBuffer {

	/**
	 * How many bytes of payloads are buffered at most, besides those of the last fetch.
	 */
	private static final long MOST_BYTES = 12L * 1024 * 1024;

	private final ReentrantLock lock = new ReentrantLock();

	private final Queue<Buffered> tasks = new PriorityQueue<>(Buffered.ORDER);

	private final StartOrder order;

	/** How many have not started, by queue, as the shares of queues count them. */
	private final Map<String, Integer> unstarted = new HashMap<>();

	/** Those of them that went back, until {@link #takeReturned()} has told of them. */
	private final Map<String, Integer> returned = new HashMap<>();

	private final Runnable onLow;

	/** Readable without the lock. */
	private volatile int size;

	private int mark;

	private long added;

	private long started;

	private long bytes;

	private volatile boolean open = true;

	/**
	 * @param onLow called once when there are fewer than {@link #awaitBelow} said
	 */
	public PrefetchBuffer(QueueWeights queues, Runnable onLow) {
		this.order = new StartOrder(queues);
		this.onLow = onLow;
	}

	public int size() {
		return this.size;
	}

	boolean isEmpty() {
		return this.size == 0;
	}

	boolean anyMayStart() {
		return this.open && this.size > 0;
	}

	boolean isFull() {
		return withLock(() -> this.bytes >= MOST_BYTES);
	}

	long started() {
		return withLock(() -> this.started);
	}

	void awaitBelow(int mark) {
		this.lock.lock();
		try {
			this.mark = mark;
		}
		finally {
			this.lock.unlock();
		}
	}

	void open() {
		this.open = true;
	}

	void close() {
		this.open = false;
	}

	void add(List<LeasedTask> taken) {
		long now = System.nanoTime();
		this.lock.lock();
		try {
			for (LeasedTask task : taken) {
				this.tasks.add(new Buffered(task, now, this.order.rank(task.message().queue()), this.added++));
				this.bytes += bytes(task);
				this.unstarted.merge(task.message().queue(), 1, Integer::sum);
			}
			this.size = this.tasks.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Nullable LeasedTask next() {
		Buffered next;
		boolean low;
		this.lock.lock();
		try {
			next = this.open ? this.tasks.poll() : null;
			if (next == null) {
				return null;
			}
			this.order.started(next.rank());
			if (this.tasks.isEmpty()) {
				this.order.reset();
			}
			this.bytes -= bytes(next.task());
			this.unstarted.merge(next.task().message().queue(), -1, Integer::sum);
			this.started++;
			this.size = this.tasks.size();
			low = this.size < this.mark;
			if (low) {
				this.mark = 0;
			}
		}
		finally {
			this.lock.unlock();
		}
		if (low) {
			this.onLow.run();
		}
		return next.task();
	}

	public List<LeasedTask> takeIf(Predicate<LeasedTask> condition) {
		return withLock(() -> {
			// Each is tested once: the answer may change with time
			Map<Boolean, List<Buffered>> meets = this.tasks.stream()
				.sorted(Buffered.ORDER)
				.collect(Collectors.partitioningBy((buffered) -> condition.test(buffered.task())));
			this.tasks.clear();
			this.tasks.addAll(meets.get(false));
			this.order.remain(this.tasks.stream().map((held) -> Map.entry(held.task().message().queue(), held.rank())));
			this.size = this.tasks.size();
			List<LeasedTask> taken = meets.get(true).stream().map(Buffered::task).toList();
			for (LeasedTask task : taken) {
				this.bytes -= bytes(task);
				this.returned.merge(task.message().queue(), 1, Integer::sum);
			}
			return taken;
		});
	}

	@Nullable Long since() {
		// Nano times overflow, so that they are compared by their difference
		return withLock(() -> this.tasks.stream().map(Buffered::since).min((a, b) -> Long.signum(a - b)).orElse(null));
	}

	/** Includes those that {@link #takeReturned} has not reported. */
	public int count(String queue) {
		return withLock(() -> this.unstarted.getOrDefault(queue, 0));
	}

	Map<String, Integer> takeReturned() {
		return withLock(() -> {
			if (this.returned.isEmpty()) {
				return Map.of();
			}
			Map<String, Integer> taken = Map.copyOf(this.returned);
			this.returned.clear();
			taken.forEach((queue, tasks) -> this.unstarted.merge(queue, -tasks, Integer::sum));
			return taken;
		});
	}

	public Map<String, Integer> byQueue() {
		Map<String, Integer> counts = new TreeMap<>();
		all().forEach((task) -> counts.merge(task.message().queue(), 1, Integer::sum));
		return counts;
	}

	public List<LeasedTask> all() {
		return isEmpty() ? List.of()
				: withLock(() -> this.tasks.stream().sorted(Buffered.ORDER).map(Buffered::task).toList());
	}

	private <T extends @Nullable Object> T withLock(Supplier<T> read) {
		this.lock.lock();
		try {
			return read.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	private static long bytes(LeasedTask task) {
		byte[] payload = task.message().payload();
		return (payload != null) ? payload.length : 0;
	}

	/**
	 * @param rank its place among tasks of other queues
	 * @param number its place among tasks of the same rank
	 */
	private record Buffered(LeasedTask task, long since, double rank, long number) {

		static final Comparator<Buffered> ORDER = Comparator.comparingDouble(Buffered::rank)
			.thenComparingLong(Buffered::number);

	}

}
