package io.asynq.spring.boot.test;

import java.time.Duration;
import java.util.List;

import io.asynq.TaskInfo;
import io.asynq.inspect.LoopInfo;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskDefinition;
import io.asynq.schedule.PeriodicTaskInfo;
import org.jspecify.annotations.Nullable;

/**
 * The application's scheduler with all its entries, which never starts: tests move its
 * clock.
 */
final class ManualScheduler implements AsynqScheduler {

	private final AsynqScheduler entries;

	ManualScheduler(AsynqScheduler entries) {
		this.entries = entries;
	}

	@Override
	public String register(PeriodicTaskDefinition task) {
		return this.entries.register(task);
	}

	@Override
	public void unregister(String entryId) {
		this.entries.unregister(entryId);
	}

	@Override
	public List<PeriodicTaskInfo> entries() {
		return this.entries.entries();
	}

	@Override
	public @Nullable TaskInfo enqueueNow(String entryId) {
		return this.entries.enqueueNow(entryId);
	}

	@Override
	public @Nullable TaskInfo fireNow(String entryId) {
		return this.entries.fireNow(entryId);
	}

	@Override
	public List<LoopInfo> loops() {
		return this.entries.loops();
	}

	@Override
	public @Nullable Duration lag() {
		return this.entries.lag();
	}

	@Override
	public void ping() {
		this.entries.ping();
	}

	@Override
	public void start() {
		// TestAsynq fires its entries
	}

	@Override
	public void stop() {
		// It does not run
	}

	@Override
	public boolean isRunning() {
		return false;
	}

	@Override
	public boolean isAutoStartup() {
		return false;
	}

	@Override
	public int getPhase() {
		return this.entries.getPhase();
	}

}
