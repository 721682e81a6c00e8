package io.asynq.broker.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.asynq.BrokerException;
import io.asynq.broker.Dequeued;
import io.asynq.broker.Lease;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.TaskDequeuer;
import io.asynq.broker.TaskMessage;

/**
 * Takes pending tasks (protocol 6.6).
 */
final class RedisDequeuer implements TaskDequeuer {

	private static final int MAX_TASKS = 64;

	private static final long MAX_BYTES = 4L * 1024 * 1024;

	private final ScriptRunner scripts;

	private final Clock clock;

	private final Duration leaseDuration;

	private final BrokenTaskHandler broken;

	private final Fences fences = new Fences();

	RedisDequeuer(ScriptRunner scripts, Clock clock, Duration leaseDuration, BrokenTaskHandler broken) {
		this.scripts = scripts;
		this.clock = clock;
		this.leaseDuration = leaseDuration;
		this.broken = broken;
	}

	@Override
	public Dequeued dequeue(String queue, int max) {
		Keys keys = Keys.of(queue);
		// Redis knows whole seconds, so that is what this server may rely on
		Instant leaseEnd = Instant.ofEpochSecond(Text.seconds(this.clock.instant().plus(this.leaseDuration)));
		String fence = this.fences.next();
		List<Object> answer = this.scripts.runList(LuaScript.DEQUEUE, Text.queue(queue),
				List.of(keys.pending(), keys.paused(), keys.active(), keys.lease()), Text.seconds(leaseEnd),
				keys.taskPrefix(), Math.min(max, MAX_TASKS), MAX_BYTES, fence);
		long code = (Long) answer.get(0);
		if (code == -2) {
			this.broken.unusable(queue, keys.pending() + ", " + keys.active() + " or " + keys.lease());
			throw new BrokerException("Queue '" + queue + "' cannot be worked on: " + keys.pending() + ", "
					+ keys.active() + " or " + keys.lease() + " has the wrong type in Redis; rename or delete that key",
					null);
		}
		this.broken.removed(queue, (List<?>) answer.get(2));
		List<LeasedTask> tasks = new ArrayList<>();
		for (TaskMessage message : this.broken.decode(queue, (List<?>) answer.get(1))) {
			tasks.add(new LeasedTask(message, new Lease(queue, message.id(), fence, leaseEnd)));
		}
		return new Dequeued(tasks, code == 1);
	}

}
