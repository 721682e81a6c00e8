package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import io.asynq.BrokerException;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Text;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/** Gives back tasks of lost answers, which no server has, by their known fences. */
public final class LostDequeues {

	private static final Logger logger = OneLineLogger.of(LostDequeues.class);

	private static final int LEASES_PER_CALL = 500;

	/** How long a dequeue may be on its way to Redis. */
	private static final Duration LONGEST_WAY = Duration.ofMinutes(5);

	/** The least wait after a failure, unless the queue is to be dequeued. */
	private static final Duration PAUSE = Duration.ofSeconds(1);

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final Map<String, List<Lost>> byQueue = new ConcurrentHashMap<>();

	private final Map<String, Long> pausing = new ConcurrentHashMap<>();

	public LostDequeues(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
	}

	/** Spares {@code known}: drivers may repeat what they have sent. */
	public void add(String queue, String fence, Collection<LeasedTask> known) {
		List<String> ids = known.stream().map((task) -> task.message().id()).toList();
		this.byQueue.computeIfAbsent(queue, (name) -> new CopyOnWriteArrayList<>()).add(new Lost(fence, ids));
	}

	boolean has(String queue) {
		return !this.byQueue.getOrDefault(queue, List.of()).isEmpty();
	}

	public int giveBack(String queue) {
		int givenBack = 0;
		List<Lost> all = this.byQueue.getOrDefault(queue, List.of());
		for (Lost lost : all) {
			givenBack += giveBack(queue, lost);
			all.remove(lost);
		}
		if (givenBack > 0) {
			logger.warn(
					"Put back {} tasks in queue {} that no server had, because the answer to their dequeue was lost",
					givenBack, queue);
		}
		return givenBack;
	}

	Set<String> giveBackAll(Predicate<String> chosen) {
		Set<String> queues = ConcurrentHashMap.newKeySet();
		this.byQueue.forEach((queue, lost) -> {
			long start = System.nanoTime();
			if (lost.isEmpty() || !chosen.test(queue) || start - this.pausing.getOrDefault(queue, start) < 0) {
				return;
			}
			try {
				if (giveBack(queue) > 0) {
					queues.add(queue);
				}
			}
			catch (BrokerException ex) {
				long now = System.nanoTime();
				this.pausing.put(queue, now + Math.max(PAUSE.toNanos(), 3 * (now - start)));
				logger.debug("Tasks in queue {} cannot be put back yet", queue, ex);
			}
		});
		return queues;
	}

	private int giveBack(String queue, Lost lost) {
		Keys keys = Keys.of(queue);
		int givenBack = 0;
		String cursor = "0";
		boolean ended;
		do {
			List<Object> args = new ArrayList<>(List.of(keys.taskPrefix(), lost.fence(), this.time.argument(), cursor,
					LEASES_PER_CALL, LONGEST_WAY.toSeconds()));
			args.addAll(lost.known());
			List<Object> answer = this.scripts.runList(LuaScript.GIVE_BACK_DEQUEUED, Text.queue(queue),
					List.of(keys.pending(), keys.active(), keys.lease(), keys.voided(lost.fence())), args.toArray());
			boolean all = (Long) answer.get(2) == 0;
			ended = all && Text.of(answer.get(0)).equals("0");
			cursor = all ? Text.of(answer.get(0)) : cursor;
			givenBack += ((Long) answer.get(1)).intValue();
		}
		while (!ended);
		return givenBack;
	}

	private record Lost(String fence, List<String> known) {
	}

}
