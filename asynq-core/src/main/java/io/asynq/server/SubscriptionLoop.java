package io.asynq.server;

import io.asynq.broker.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * Listens to one subscription after the other, and ends the present one from outside.
 * Safe for concurrent use.
 */
final class SubscriptionLoop {

	private @Nullable Subscription current;

	private boolean open;

	synchronized void open() {
		this.open = true;
	}

	/**
	 * Ends the present subscription and refuses further ones.
	 */
	synchronized void close() {
		this.open = false;
		if (this.current != null) {
			this.current.close();
		}
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
			this.current = subscription;
		}
		try {
			subscription.listen();
		}
		finally {
			synchronized (this) {
				this.current = null;
			}
		}
	}

}
