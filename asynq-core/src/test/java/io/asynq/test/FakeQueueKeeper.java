package io.asynq.test;

import java.util.Map;
import java.util.function.Consumer;

import io.asynq.inspect.Inconsistency;
import io.asynq.internal.inspect.QueueKeeper;
import org.jspecify.annotations.Nullable;

/**
 * One consistent queue, which is paused or not.
 */
public class FakeQueueKeeper implements QueueKeeper {

	/** What prevents deletion of the queue. */
	public Map<String, Long> inTheWay = Map.of();

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

	@Override
	public Map<String, Long> unhandled(String queue) {
		return Map.of();
	}

	@Override
	public @Nullable String check(String queue, @Nullable String cursor, int limit, Consumer<Inconsistency> found) {
		return null;
	}

	@Override
	public boolean repair(Inconsistency inconsistency) {
		return false;
	}

}
