package io.asynq.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import io.asynq.AsynqException;
import io.asynq.info.QueueInfo;
import io.asynq.inspect.AsynqInspector;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Reads all queues at once and caches the result for a second, so that all meters of a
 * scrape share one read. A failure is cached as well: otherwise an outage of Redis would
 * cost a scrape one time-out per meter.
 */
final class QueueSnapshots {

	private static final Logger logger = OneLineLogger.of(QueueSnapshots.class);

	private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final AsynqInspector inspector;

	private final LongSupplier nanoTime;

	private final ReentrantLock lock = new ReentrantLock();

	private @Nullable Read last;

	QueueSnapshots(AsynqInspector inspector, LongSupplier nanoTime) {
		this.inspector = inspector;
		this.nanoTime = nanoTime;
	}

	/**
	 * Returns the queues as they were at most a second ago, except for those that could
	 * not be read.
	 * @throws AsynqException if they could not be listed
	 */
	Snapshot current() {
		this.lock.lock();
		try {
			Read read = this.last;
			if (read == null || this.nanoTime.getAsLong() - read.nanos() > MAX_AGE_NANOS) {
				read = read();
				this.last = read;
			}
			return read.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns a queue as it was at most a second ago, empty if it could not be read.
	 */
	Optional<QueueInfo> find(String queue) {
		try {
			return Optional.ofNullable(current().infos().get(queue));
		}
		catch (AsynqException ex) {
			return Optional.empty();
		}
	}

	private Read read() {
		try {
			Map<String, QueueInfo> infos = new LinkedHashMap<>();
			for (String queue : this.inspector.queues()) {
				read(queue).ifPresent((info) -> infos.put(queue, info));
			}
			return new Read(this.nanoTime.getAsLong(), new Snapshot(infos), null);
		}
		catch (AsynqException ex) {
			return new Read(this.nanoTime.getAsLong(), null, ex);
		}
	}

	private Optional<QueueInfo> read(String queue) {
		try {
			return Optional.of(this.inspector.queueInfo(queue));
		}
		catch (AsynqException ex) {
			logger.debug("Queue '{}' is left out of the metrics: {}", queue, ex.getMessage());
			return Optional.empty();
		}
	}

	/**
	 * The queues that could be read, by name.
	 */
	record Snapshot(Map<String, QueueInfo> infos) {

		Set<String> queues() {
			return this.infos.keySet();
		}

	}

	private record Read(long nanos, @Nullable Snapshot snapshot, @Nullable AsynqException error) {

		Snapshot get() {
			if (this.snapshot == null) {
				throw (this.error != null) ? this.error : new IllegalStateException("nothing was read");
			}
			return this.snapshot;
		}

	}

}
