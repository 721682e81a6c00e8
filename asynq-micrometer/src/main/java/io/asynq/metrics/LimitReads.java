package io.asynq.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

import io.asynq.AsynqException;
import io.asynq.inspect.LimitInfo;
import io.asynq.internal.limit.LimitReader;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Numbers that are too old are unknown; one thread reads.
 */
final class LimitReads {

	private static final Logger logger = OneLineLogger.of(LimitReads.class);

	/** Names of limits that handlers have for themselves are made of their types. */
	private static final int LONGEST_NAME = 1024;

	private final LimitReader reader;

	private final QueueMetricsOptions options;

	private final LongSupplier nanoTime;

	private final AtomicLong errors = new AtomicLong();

	private volatile @Nullable Known known;

	LimitReads(LimitReader reader, QueueMetricsOptions options, LongSupplier nanoTime) {
		this.reader = reader;
		this.options = options;
		this.nanoTime = nanoTime;
	}

	void read() {
		try {
			Map<String, LimitInfo> limits = new LinkedHashMap<>();
			for (LimitInfo limit : this.reader.limits()) {
				if (limit.name().length() <= LONGEST_NAME && limits.size() < this.options.maxQueues()) {
					limits.put(limit.name(), limit);
				}
			}
			this.known = new Known(limits, this.nanoTime.getAsLong());
		}
		catch (AsynqException | UnsupportedOperationException ex) {
			// There are no limits in memory for tests
			this.errors.incrementAndGet();
			logger.debug("Limits cannot be read for the metrics", ex);
		}
	}

	Set<String> names(Predicate<LimitInfo> filter) {
		Known read = this.known;
		return (read == null) ? Set.of()
				: Set.copyOf(read.limits().values().stream().filter(filter).map(LimitInfo::name).toList());
	}

	/** NaN if it is not known. */
	double number(String limit, ToDoubleFunction<LimitInfo> number) {
		Known read = fresh();
		LimitInfo info = (read != null) ? read.limits().get(limit) : null;
		return (info != null) ? number.applyAsDouble(info) : Double.NaN;
	}

	long errors() {
		return this.errors.get();
	}

	private @Nullable Known fresh() {
		Known read = this.known;
		return (read != null && this.nanoTime.getAsLong() - read.at() <= this.options.maxAge().toNanos()) ? read : null;
	}

	private record Known(Map<String, LimitInfo> limits, long at) {
	}

}
