package io.asynq.sample;

/**
 * How far the orders of the start are.
 *
 * @param counts what happened in the queues since then
 * @param retried attempts that were retries
 */
record Progress(int placed, QueueCounts counts, long retried) {

	@Override
	public String toString() {
		return "placed %d, processed %d, failed %d, retried %d, pending %d".formatted(this.placed,
				this.counts.processed(), this.counts.failed(), this.retried, this.counts.pending());
	}

}
