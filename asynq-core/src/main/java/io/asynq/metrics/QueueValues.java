package io.asynq.metrics;

import java.util.Set;
import java.util.function.ToDoubleFunction;

import io.asynq.info.LimitInfo;
import io.asynq.info.QueueStats;
import org.jspecify.annotations.Nullable;

/**
 * What meters show. Each call tells that somebody reads meters. Safe for concurrent use.
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

	/** Returns the queues that have values. */
	Set<String> queues() {
		this.reads.demand();
		return this.snapshots.queues();
	}

	/** Returns a number of a queue, NaN if it is not known. */
	double number(String queue, ToDoubleFunction<QueueStats> number) {
		this.reads.demand();
		return this.snapshots.value(queue, number);
	}

	/** Returns how many servers serve a queue, NaN if it is not known. */
	double consumers(String queue) {
		this.reads.demand();
		return this.snapshots.consumers(queue);
	}

	/** Returns whether memory is estimated at all. */
	boolean hasMemory() {
		return this.memory != null;
	}

	/** Returns the memory of a queue in bytes, NaN if it is not known. */
	double memory(String queue) {
		this.reads.demand();
		return (this.memory != null) ? this.memory.value(queue) : Double.NaN;
	}

	/** Returns a number of a limit, NaN if it is not known. */
	double limit(String limit, ToDoubleFunction<LimitInfo> number) {
		this.reads.demand();
		return this.limits.number(limit, number);
	}

	/** Returns what was read of limits. */
	LimitReads limits() {
		return this.limits;
	}

	/** Returns the age of the numbers in seconds. */
	double age() {
		this.reads.demand();
		return this.snapshots.age();
	}

	/** Returns how often queues, one of them, or limits could not be read. */
	double errors() {
		this.reads.demand();
		return this.reader.errors() + this.limits.errors();
	}

}
