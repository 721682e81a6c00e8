package io.asynq.server;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.asynq.broker.Subscription;

/**
 * Listens to one subscription after the other, and ends the present one from outside, and
 * what a loop that was left behind may still listen to. Safe for concurrent use.
 */
final class SubscriptionLoop {

	private final Set<Subscription> current = new HashSet<>();

	private boolean open;

	synchronized void open() {
		this.open = true;
	}

	/**
	 * Ends the present subscription and refuses further ones.
	 */
	void close() {
		List<Subscription> ending;
		synchronized (this) {
			this.open = false;
			ending = List.copyOf(this.current);
		}
		// Takes as long as Redis does, and who listens must be able to end meanwhile
		ending.forEach(Subscription::close);
	}

	/**
	 * Listens until the subscription ends.
	 * @param subscription a new subscription
	 */
	void listen(Subscription subscription) {
		synchronized (this) {
			if (!this.open) {
				return;
			}
			this.current.add(subscription);
		}
		try {
			subscription.listen();
		}
		finally {
			synchronized (this) {
				this.current.remove(subscription);
			}
		}
	}

}
