package io.asynq.server;

/**
 * Whether arrivals are being told, so that the loops need not look for them.
 */
final class ArrivalSignals {

	private volatile boolean live;

	boolean isLive() {
		return this.live;
	}

	void setLive(boolean live) {
		this.live = live;
	}

}
