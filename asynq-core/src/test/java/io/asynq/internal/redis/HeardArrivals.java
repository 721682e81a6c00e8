package io.asynq.internal.redis;

import java.util.function.Consumer;

import io.asynq.internal.arrival.ArrivalListener;

/**
 * Passes on what an arrival subscription reports, in words.
 */
public record HeardArrivals(Consumer<String> events) implements ArrivalListener {

	@Override
	public void onReady() {
		this.events.accept("ready");
	}

	@Override
	public void onPending(String queue) {
		this.events.accept("pending " + queue);
	}

	@Override
	public void onDelayed(String queue) {
		this.events.accept("delayed " + queue);
	}

	@Override
	public void onMoved(String queue, String master) {
		this.events.accept("moved " + queue + " to " + master);
	}

}
