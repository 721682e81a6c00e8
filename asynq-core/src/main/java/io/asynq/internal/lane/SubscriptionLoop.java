package io.asynq.internal.lane;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.asynq.internal.redis.Subscription;

/**
 * Another thread may close the current subscription, and any that an abandoned loop still
 * listens to.
 */
public final class SubscriptionLoop {

	private final Set<Subscription> current = new HashSet<>();

	private boolean open;

	public synchronized void open() {
		this.open = true;
	}

	public void close() {
		List<Subscription> ending;
		synchronized (this) {
			this.open = false;
			ending = List.copyOf(this.current);
		}
		// Outside the lock: this may wait for Redis, and the listener must be able to end
		// meanwhile
		ending.forEach(Subscription::close);
	}

	public void listen(Subscription subscription) {
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
