package io.asynq.benchmarks.rivals;

import com.github.sonus21.rqueue.core.RqueueMessageEnqueuer;
import io.asynq.benchmarks.peer.Producer;

/** Enqueues with RQueue, which has no batch call. */
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
		// Errors are logged and no id is returned
		if (this.enqueuer.enqueue(this.queue, new RqueueTask(payload)) == null) {
			throw new IllegalStateException("RQueue did not accept " + payload);
		}
	}

	@Override
	public void close() throws Exception {
		this.context.close();
	}

}
