package io.asynq.broker.redis.task;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.asynq.broker.TaskDequeuer;
import io.asynq.broker.message.CrashRecord;
import io.asynq.broker.message.Dequeued;
import io.asynq.broker.message.Lease;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.TaskMessage;
import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.LuaScript;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.ScriptTime;
import io.asynq.broker.redis.Text;
import org.jspecify.annotations.Nullable;

/**
 * Takes pending tasks.
 */
public final class RedisDequeuer implements TaskDequeuer {

	private static final int MAX_TASKS = 64;

	private static final long MAX_BYTES = 4L * 1024 * 1024;

	/** What takes so long may have been sent twice by the driver, and been done twice. */
	private static final Duration MAYBE_REPEATED = Duration.ofSeconds(1);

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final Duration leaseDuration;

	private final BrokenTaskHandler broken;

	private final LostDequeues lost;

	private final Fences fences;

	private final CancelledTasks cancelled;

	public RedisDequeuer(ScriptRunner scripts, ScriptTime time, Duration leaseDuration, BrokenTaskHandler broken,
			LostDequeues lost) {
		this.scripts = scripts;
		this.time = time;
		this.leaseDuration = leaseDuration;
		this.fences = new Fences(leaseDuration);
		this.broken = broken;
		this.lost = lost;
		this.cancelled = new CancelledTasks(scripts, time);
	}

	@Override
	public Dequeued dequeue(String queue, int max) {
		this.lost.giveBack(queue);
		String fence = this.fences.next();
		long start = System.nanoTime();
		Dequeued dequeued = null;
		try {
			dequeued = dequeue(queue, max, fence);
		}
		finally {
			if (dequeued == null) {
				this.lost.add(queue, fence, List.of());
			}
		}
		if (this.scripts.mayRepeat() && System.nanoTime() - start > MAYBE_REPEATED.toNanos()) {
			this.lost.add(queue, fence, dequeued.tasks());
		}
		return dequeued;
	}

	@Override
	public Set<String> giveBackLost() {
		return this.lost.giveBackAll();
	}

	private Dequeued dequeue(String queue, int max, String fence) {
		Keys keys = Keys.of(queue);
		long sentNanos = System.nanoTime();
		List<Object> answer = this.broken.telling(queue,
				() -> this.scripts.runList(LuaScript.DEQUEUE, Text.queue(queue),
						List.of(keys.pending(), keys.paused(), keys.active(), keys.lease(), keys.voided(fence),
								keys.cancelled()),
						this.time.argument(), keys.taskPrefix(), Math.min(max, MAX_TASKS), MAX_BYTES, fence,
						this.leaseDuration.toMillis()));
		this.broken.removed(queue, (List<?>) answer.get(2));
		long endNanos = sentNanos + TimeUnit.MILLISECONDS.toNanos((Long) answer.get(4));
		Map<String, CrashRecord> records = CrashRecords.dequeued((List<?>) answer.get(3));
		BrokenTaskHandler.Hands hands = BrokenTaskHandler.Hands.ofAttempt(fence);
		List<LeasedTask> tasks = new ArrayList<>();
		for (TaskMessage message : this.broken.decode(queue, (List<?>) answer.get(1), (i) -> hands)) {
			tasks.add(new LeasedTask(message, new Lease(queue, message.id(), fence, endNanos),
					records.getOrDefault(message.id(), CrashRecord.CLEAN)));
		}
		String cancelled = Text.of(answer.get(6));
		if (!cancelled.isEmpty()) {
			this.cancelled.settle(queue, cancelled);
		}
		return new Dequeued(tasks, (Long) answer.get(0) == 1, waited(answer.get(5)));
	}

	/** A clock may be ahead of Redis's, so that a task was enqueued in the future. */
	private static @Nullable Duration waited(Object answered) {
		return (answered instanceof Long micros) ? Duration.of(Math.max(0, micros), ChronoUnit.MICROS) : null;
	}

}
