package io.asynq.test;

import java.util.Map;

import io.asynq.internal.inspect.QueueKeeper;

/**
 * One consistent queue, which is paused or not.
 */
public class FakeQueueKeeper extends QueueKeeper {

	/** What prevents deletion of the queue. */
	public Map<String, Long> inTheWay = Map.of();

	private boolean paused;

	public FakeQueueKeeper() {
		super(null, null, null);
	}

	@Override
	public boolean pause(String queue) {
		boolean was = this.paused;
		this.paused = true;
		return !was;
	}

	@Override
	public boolean resume(String queue) {
		boolean was = this.paused;
		this.paused = false;
		return was;
	}

	@Override
	public Map<String, Long> delete(String queue, boolean force) {
		return this.inTheWay;
	}

}
