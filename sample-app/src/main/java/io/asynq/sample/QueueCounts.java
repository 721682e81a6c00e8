package io.asynq.sample;

import io.asynq.TaskState;
import io.asynq.inspect.QueueInfo;

/**
 * Counts of one or more queues.
 *
 * @param processed attempts that have ended, including failed ones
 * @param failed attempts that have failed
 * @param pending tasks that are not finished
 */
record QueueCounts(long processed, long failed, long pending) {

	static final QueueCounts NONE = new QueueCounts(0, 0, 0);

	static QueueCounts of(QueueInfo info) {
		long pending = info.size(TaskState.PENDING) + info.size(TaskState.ACTIVE) + info.size(TaskState.SCHEDULED)
				+ info.size(TaskState.RETRY);
		return new QueueCounts(info.processedTotal(), info.failedTotal(), pending);
	}

	QueueCounts plus(QueueCounts other) {
		return new QueueCounts(this.processed + other.processed, this.failed + other.failed,
				this.pending + other.pending);
	}

	/**
	 * Returns the difference to earlier counts, because Redis keeps the counters of
	 * earlier runs. Pending tasks are not subtracted.
	 */
	QueueCounts since(QueueCounts earlier) {
		return new QueueCounts(this.processed - earlier.processed, this.failed - earlier.failed, this.pending);
	}

}
