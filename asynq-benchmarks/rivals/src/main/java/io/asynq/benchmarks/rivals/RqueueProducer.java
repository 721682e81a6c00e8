package io.asynq.benchmarks.rivals;

import com.github.sonus21.rqueue.core.RqueueMessageEnqueuer;
import io.asynq.benchmarks.peer.Producer;

/**
 * Enqueues with RQueue, which has no way to enqueue many at once.
 */
final class RqueueProducer implements Producer {

	private final RqueueMessageEnqueuer enqueuer;

	private final String queue;

	private final AutoCloseable context;

	RqueueProducer(RqueueMessageEnqueuer enqueuer, String queue, AutoCloseable context) {
		this.enqueuer = enqueuer;
		this.queue = queue;
		this.context = context;
	}

	@Override
	public void one(String payload) {
		// Errors are logged, then there is no id
		if (this.enqueuer.enqueue(this.queue, new RqueueTask(payload)) == null) {
			throw new IllegalStateException("RQueue did not accept " + payload);
		}
	}

	@Override
	public void close() throws Exception {
		this.context.close();
	}

}
