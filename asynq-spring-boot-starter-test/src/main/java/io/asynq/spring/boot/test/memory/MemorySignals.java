package io.asynq.spring.boot.test.memory;

import java.util.Collection;
import java.util.function.Consumer;

import io.asynq.internal.arrival.ArrivalListener;
import io.asynq.internal.arrival.ArrivalSubscription;
import io.asynq.internal.cancel.Signals;
import io.asynq.internal.redis.Subscription;

/**
 * Cancellations that no server hears, because none runs.
 */
final class MemorySignals implements Signals {

	@Override
	public void cancel(String taskId) {
		// Reaches the servers that are listening
	}

	@Override
	public void cancel(String queue, String taskId) {
		// As above
	}

	@Override
	public Subscription subscribeToCancellations(Runnable onReady, Consumer<String> onCancel) {
		throw Unsupported.operation("Signals.subscribeToCancellations", "a server that runs");
	}

	@Override
	public ArrivalSubscription subscribeToArrivals(Collection<String> queues, ArrivalListener listener) {
		throw Unsupported.operation("Signals.subscribeToArrivals", "a server that runs");
	}

	@Override
	public boolean areSpread() {
		return false;
	}

	@Override
	public Signals at(String node) {
		throw Unsupported.operation("Signals.at", "a cluster");
	}

}
