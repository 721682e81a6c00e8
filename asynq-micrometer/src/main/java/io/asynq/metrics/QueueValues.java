package io.asynq.metrics;

import java.util.Set;
import java.util.function.ToDoubleFunction;

import io.asynq.inspect.LimitInfo;
import io.asynq.inspect.QueueStats;
import org.jspecify.annotations.Nullable;

/**
 * Each call tells that somebody reads meters.
 */
final class QueueValues {

	private final ReadOnDemand reads;

	private final QueueReads reader;

	private final QueueSnapshots snapshots;

	private final @Nullable MemorySamples memory;

	private final LimitReads limits;

	QueueValues(ReadOnDemand reads, QueueReads reader, QueueSnapshots snapshots, @Nullable MemorySamples memory,
			LimitReads limits) {
		this.reads = reads;
		this.reader = reader;
		this.snapshots = snapshots;
		this.memory = memory;
		this.limits = limits;
	}

	Set<String> queues() {
		this.reads.demand();
		return this.snapshots.queues();
	}

	/** NaN if it is not known. */
	double number(String queue, ToDoubleFunction<QueueStats> number) {
		this.reads.demand();
		return this.snapshots.value(queue, number);
	}

	/** NaN if it is not known. */
	double consumers(String queue) {
		this.reads.demand();
		return this.snapshots.consumers(queue);
	}

	boolean hasMemory() {
		return this.memory != null;
	}

	/** Bytes, NaN if it is not known. */
	double memory(String queue) {
		this.reads.demand();
		return (this.memory != null) ? this.memory.value(queue) : Double.NaN;
	}

	double limit(String limit, ToDoubleFunction<LimitInfo> number) {
		this.reads.demand();
		return this.limits.number(limit, number);
	}

	LimitReads limits() {
		return this.limits;
	}

	/** Seconds. */
	double age() {
		this.reads.demand();
		return this.snapshots.age();
	}

	/** How often queues, one of them, or limits could not be read. */
	double errors() {
		this.reads.demand();
		return this.reader.errors() + this.limits.errors();
	}

}
