package io.asynq.spring.boot.test.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.schedule.SchedulerEntrySnapshot;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.schedule.Fire;
import io.asynq.internal.schedule.SchedulerStore;

/**
 * What a scheduler needs that fires by hand only.
 */
final class MemorySchedulers extends SchedulerStore {

	private static final String SUBJECT = "a scheduler that runs";

	MemorySchedulers() {
		super(null, null, null, null);
	}

	@Override
	public void recordEnqueued(String entry, String taskId, Instant at) {
		// Nothing reads it: the history of periodic tasks is refused
	}

	@Override
	public boolean enqueue(EnqueueRequest request, Fire fire) {
		throw Unsupported.operation("SchedulerStore.enqueue", SUBJECT);
	}

	@Override
	public void pass(String queue, Fire fire) {
		throw Unsupported.operation("SchedulerStore.pass", SUBJECT);
	}

	@Override
	public Instant lastFire(String queue, String entry, Instant first) {
		throw Unsupported.operation("SchedulerStore.lastFire", SUBJECT);
	}

	@Override
	public void forgetFires(String queue, String entry) {
		throw Unsupported.operation("SchedulerStore.forgetFires", SUBJECT);
	}

	@Override
	public void write(ServerIdentity scheduler, List<SchedulerEntrySnapshot> entries, Duration ttl) {
		throw Unsupported.operation("SchedulerStore.write", SUBJECT);
	}

	@Override
	public Set<String> forget(ServerIdentity scheduler, Collection<String> entries) {
		throw Unsupported.operation("SchedulerStore.forget", SUBJECT);
	}

	@Override
	public void clear(ServerIdentity scheduler) {
		throw Unsupported.operation("SchedulerStore.clear", SUBJECT);
	}

}
