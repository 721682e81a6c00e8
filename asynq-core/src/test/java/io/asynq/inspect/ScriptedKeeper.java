package io.asynq.inspect;

import java.util.Map;

import io.asynq.broker.QueueKeeper;

/**
 * One queue that is paused or not.
 */
final class ScriptedKeeper implements QueueKeeper {

	Map<String, Long> inTheWay = Map.of();

	private boolean paused;

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
