package io.asynq.internal.worker;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.asynq.BrokerException;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.SeveralQueues;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.Text;
import org.jspecify.annotations.Nullable;

public final class RedisDequeuer implements TaskDequeuer {

	private static final long MAX_BYTES = 4L * 1024 * 1024;

	/** What takes so long may have been sent twice by the driver, and been done twice. */
	private static final Duration MAYBE_REPEATED = Duration.ofSeconds(1);

	/** What the script answers for a queue when those before it gave enough. */
	private static final int NOT_REACHED = 2;

	private static final int PAUSED = 3;

	private final ScriptRunner scripts;

	private final SeveralQueues several;

	private final ScriptTime time;

	private final Duration leaseDuration;

	private final BrokenTaskHandler broken;

	private final LostDequeues lost;

	private final Fences fences;

	private final CancelledTasks cancelled;

	public RedisDequeuer(ScriptRunner scripts, ScriptTime time, Duration leaseDuration, BrokenTaskHandler broken,
			LostDequeues lost) {
		this.scripts = scripts;
		this.several = new SeveralQueues(scripts);
		this.time = time;
		this.leaseDuration = leaseDuration;
		this.fences = new Fences(leaseDuration);
		this.broken = broken;
		this.lost = lost;
		this.cancelled = new CancelledTasks(scripts, time);
	}

	@Override
	public Dequeued dequeue(String queue, int max) {
		return dequeue(queue, max, 0);
	}

	@Override
	public Dequeued dequeue(String queue, int max, int ahead) {
		this.lost.giveBack(queue);
		Limits limits = Limits.of(max, ahead);
		String fence = this.fences.next(limits.ahead() > 0);
		long start = System.nanoTime();
		Dequeued dequeued = null;
		try {
			dequeued = dequeue(queue, limits, fence);
		}
		finally {
			if (dequeued == null) {
				this.lost.add(queue, fence, List.of());
			}
		}
		if (mayBeRepeated(start)) {
			this.lost.add(queue, fence, dequeued.tasks());
		}
		return dequeued;
	}

	@Override
	public List<Answer> dequeue(List<QueueShare> shares, int max, int ahead) {
		// What was lost goes back in front of what is taken next
		if (!this.several.arePossible() || shares.stream().anyMatch((share) -> this.lost.has(share.queue()))) {
			return TaskDequeuer.super.dequeue(shares, max, ahead);
		}
		Limits limits = Limits.of(max, ahead);
		String fence = this.fences.next(limits.ahead() > 0);
		List<Answer> answers = null;
		try {
			answers = dequeue(shares, limits, fence);
		}
		finally {
			if (answers == null) {
				shares.forEach((share) -> this.lost.add(share.queue(), fence, List.of()));
			}
		}
		return answers.isEmpty() ? TaskDequeuer.super.dequeue(shares, max, ahead) : answers;
	}

	@Override
	public boolean takesSeveralInOneCall() {
		return this.several.arePossible();
	}

	@Override
	public Set<String> giveBackLost(Predicate<String> queues) {
		return this.lost.giveBackAll(queues);
	}

	private List<Answer> dequeue(List<QueueShare> shares, Limits limits, String fence) {
		List<SeveralQueues.Call> calls = new ArrayList<>(shares.size());
		for (QueueShare share : shares) {
			Keys keys = Keys.of(share.queue());
			calls.add(new SeveralQueues.Call(share.queue(), keys(keys, fence), args(keys, share.max(), limits, fence)));
		}
		long sentNanos = System.nanoTime();
		List<SeveralQueues.Answer> read = this.several.call(LuaScript.DEQUEUE_SEVERAL, calls);
		List<Answer> answers = new ArrayList<>(read.size());
		for (int i = 0; i < read.size(); i++) {
			if (read.get(i).error() != null || (Long) read.get(i).answer().get(0) != NOT_REACHED) {
				answers.add(answer(shares.get(i).queue(), read.get(i), fence, sentNanos));
			}
		}
		return answers;
	}

	/** A queue's error is only its own, even when reading its answer fails. */
	private Answer answer(String queue, SeveralQueues.Answer read, String fence, long sentNanos) {
		try {
			if (read.error() != null) {
				throw read.error();
			}
			Dequeued dequeued = dequeued(queue, read.answer(), fence, sentNanos);
			if (mayBeRepeated(sentNanos)) {
				this.lost.add(queue, fence, dequeued.tasks());
			}
			return new Answer(queue, dequeued, null);
		}
		catch (BrokerException ex) {
			// It may have taken some before
			this.lost.add(queue, fence, List.of());
			this.broken.tell(queue, ex);
			return new Answer(queue, null, ex);
		}
	}

	private boolean mayBeRepeated(long start) {
		return this.scripts.mayRepeat() && System.nanoTime() - start > MAYBE_REPEATED.toNanos();
	}

	private Dequeued dequeue(String queue, Limits limits, String fence) {
		Keys keys = Keys.of(queue);
		long sentNanos = System.nanoTime();
		List<Object> answer = this.broken.telling(queue, () -> this.scripts.runList(LuaScript.DEQUEUE,
				Text.queue(queue), keys(keys, fence), args(keys, limits.max(), limits, fence).toArray()));
		return dequeued(queue, answer, fence, sentNanos);
	}

	private static List<String> keys(Keys keys, String fence) {
		return List.of(keys.pending(), keys.paused(), keys.active(), keys.lease(), keys.voided(fence),
				keys.cancelled());
	}

	private List<Object> args(Keys keys, int max, Limits limits, String fence) {
		return List.of(this.time.argument(), keys.taskPrefix(), Math.min(max, MOST_TASKS), MAX_BYTES, fence,
				this.leaseDuration.toMillis(), limits.max(), limits.ahead());
	}

	private Dequeued dequeued(String queue, List<?> answer, String fence, long sentNanos) {
		this.broken.removed(queue, (List<?>) answer.get(2));
		long endNanos = sentNanos + TimeUnit.MILLISECONDS.toNanos((Long) answer.get(4));
		Map<String, CrashRecord> records = CrashRecord.dequeued((List<?>) answer.get(3));
		BrokenTaskHandler.Hands hands = BrokenTaskHandler.Hands.ofAttempt(fence);
		List<String> woken = ((List<?>) answer.get(8)).stream().map(Text::of).toList();
		List<LeasedTask> tasks = new ArrayList<>();
		for (TaskMessage message : this.broken.decode(queue, (List<?>) answer.get(1), (i) -> hands)) {
			tasks.add(new LeasedTask(message, new Lease(queue, message.id(), fence, endNanos),
					records.getOrDefault(message.id(), CrashRecord.CLEAN), Fences.isAhead(fence),
					woken.contains(message.id())));
		}
		String cancelled = Text.of(answer.get(6));
		if (!cancelled.isEmpty()) {
			this.cancelled.settle(queue, cancelled);
		}
		long end = (Long) answer.get(0);
		return new Dequeued(tasks, end == 1 || end == PAUSED, waited(answer.get(5)), (Long) answer.get(7),
				end == PAUSED);
	}

	/** A clock may be ahead of Redis's, so that a task was enqueued in the future. */
	private static @Nullable Duration waited(Object answered) {
		return (answered instanceof Long micros) ? Duration.of(Math.max(0, micros), ChronoUnit.MICROS) : null;
	}

	private record Limits(int max, int ahead) {

		static Limits of(int max, int ahead) {
			int most = Math.min(max, MOST_TASKS);
			return new Limits(most, Math.max(0, most - (max - ahead)));
		}

	}

}
