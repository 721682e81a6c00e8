package io.asynq.spring.boot.test.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.asynq.TaskState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import io.asynq.internal.worker.TaskCompleter;
import org.jspecify.annotations.Nullable;

/**
 * Ends active tasks.
 */
final class MemoryCompleter implements TaskCompleter {

	/** 0001-01-01 and 9999-12-31. */
	private static final long EARLIEST = -62_135_596_800L;

	private static final long LATEST = 253_402_300_799L;

	private final MemoryStore store;

	MemoryCompleter(MemoryStore store) {
		this.store = store;
	}

	@Override
	public Set<LeasedTask> begin(String queue, Collection<LeasedTask> tasks) {
		return new LinkedHashSet<>(tasks);
	}

	@Override
	public void note(String queue, Collection<LeasedTask> tasks) {
		throw Unsupported.operation("TaskCompleter.note", "the crash of a server");
	}

	@Override
	public boolean writeResult(Lease lease, byte[] result) {
		synchronized (this.store) {
			StoredTask task = held(this.store.queue(lease.queue()), lease);
			if (task != null) {
				task.result = result.clone();
			}
			return task != null;
		}
	}

	@Override
	public List<OutcomeResult> report(List<? extends Outcome> outcomes) {
		OutcomeResult[] results = new OutcomeResult[outcomes.size()];
		synchronized (this.store) {
			for (int i = 0; i < results.length; i++) {
				results[i] = (outcomes.get(i) instanceof Outcome.Requeue) ? OutcomeResult.NOT_ACTIVE
						: report(outcomes.get(i));
			}
			// Each goes in front of the one before
			for (int i = results.length - 1; i >= 0; i--) {
				if (outcomes.get(i) instanceof Outcome.Requeue requeue) {
					results[i] = report(requeue);
				}
			}
		}
		return List.of(results);
	}

	private OutcomeResult report(Outcome outcome) {
		MemoryQueue queue = this.store.queue(outcome.message().queue());
		StoredTask task = held(queue, outcome.task().lease());
		if (task == null) {
			return OutcomeResult.NOT_ACTIVE;
		}
		Instant now = this.store.now();
		if (outcome instanceof Outcome.Done) {
			queue.delete(task);
			this.store.release(outcome.message());
			queue.count(now, 1, 0);
		}
		else if (outcome instanceof Outcome.Completed completed) {
			complete(queue, task, completed, now);
		}
		else if (outcome instanceof Outcome.Retry retry) {
			task.message = wellFormed(retry.stored(now));
			queue.toSorted(task, TaskState.RETRY, now.plus(retry.due().delay()).getEpochSecond());
			int failures = retry.failure() ? 1 : 0;
			queue.count(now, failures, failures);
		}
		else if (outcome instanceof Outcome.Postpone postpone) {
			queue.toSorted(task, TaskState.RETRY, roundedUp(now, postpone.due().delay()));
		}
		else if (outcome instanceof Outcome.Unhandled unhandled) {
			return waitForHandler(queue, task, unhandled, now);
		}
		else if (outcome instanceof Outcome.Archive archive) {
			task.message = wellFormed(archive.stored(now));
			queue.toArchive(List.of(task), now.getEpochSecond()).forEach((gone) -> this.store.release(gone.message));
			queue.count(now, 1, 1);
		}
		else {
			queue.toFront(task, now);
		}
		return OutcomeResult.APPLIED;
	}

	private static OutcomeResult waitForHandler(MemoryQueue queue, StoredTask task, Outcome.Unhandled unhandled,
			Instant now) {
		long present = now.getEpochSecond();
		long since = (task.unhandledSince != null) ? task.unhandledSince : present;
		if (present - since >= unhandled.maxAge().toSeconds()) {
			return OutcomeResult.OVERDUE;
		}
		task.unhandledSince = since;
		task.message = wellFormed(unhandled.stored(now));
		queue.toSorted(task, TaskState.RETRY,
				present + Math.max(1, Math.min(present - since, unhandled.longest().toSeconds())));
		return OutcomeResult.APPLIED;
	}

	private void complete(MemoryQueue queue, StoredTask task, Outcome.Completed completed, Instant now) {
		byte[] result = completed.result();
		if (result != null) {
			task.result = result.clone();
		}
		task.message = completed.stored(now);
		long expiry = now.getEpochSecond() + completed.message().retentionSeconds();
		queue.toSorted(task, TaskState.COMPLETED, Math.max(EARLIEST, Math.min(expiry, LATEST)));
		this.store.release(completed.message());
		queue.count(now, 1, 0);
	}

	private static @Nullable StoredTask held(MemoryQueue queue, Lease lease) {
		StoredTask task = queue.find(lease.taskId());
		return (task != null && task.state == TaskState.ACTIVE && lease.fence().equals(task.fence)) ? task : null;
	}

	private static long roundedUp(Instant now, Duration delay) {
		Instant due = now.plus(delay);
		return due.getEpochSecond() + ((due.getNano() > 0) ? 1 : 0);
	}

	private static TaskMessage wellFormed(TaskMessage message) {
		return message.toBuilder().errorMessage(TaskMessageCodec.wellFormed(message.errorMessage())).build();
	}

}
