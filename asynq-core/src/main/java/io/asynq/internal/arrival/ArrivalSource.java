package io.asynq.internal.arrival;

import java.util.Collection;
import java.util.function.BooleanSupplier;

import io.asynq.internal.redis.driver.TrackedConnections;
import io.asynq.internal.worker.ArrivalSubscription;

/** Redis itself reports arrivals, without a setting of the server or help of clients. */
public final class ArrivalSource {

	private final TrackedConnections connections;

	private final BooleanSupplier spread;

	private final boolean ofNode;

	/** {@code spread} asks the server's connections, which end when it stops. */
	public ArrivalSource(TrackedConnections connections, BooleanSupplier spread) {
		this(connections, spread, false);
	}

	private ArrivalSource(TrackedConnections connections, BooleanSupplier spread, boolean ofNode) {
		this.connections = connections;
		this.spread = spread;
		this.ofNode = ofNode;
	}

	/**
	 * Takes one or two connections however many queues there are;
	 * {@link ArrivalSubscription#listen()} throws where queues must be polled.
	 */
	public ArrivalSubscription subscribe(Collection<String> queues, ArrivalListener listener) {
		return new PushedArrivals(this.connections, this.ofNode, queues, listener);
	}

	/**
	 * Each master of a cluster reports only arrivals in its own queues; may ask Redis.
	 */
	public boolean areSpread() {
		return this.spread.getAsBoolean();
	}

	public ArrivalSource at(String node) {
		return new ArrivalSource(this.connections.at(node), this.spread, true);
	}

}
