package io.asynq.broker.redis.limit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.BrokerException;
import io.asynq.broker.limit.LimitClass;
import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.LuaScript;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.ScriptTime;
import io.asynq.broker.redis.Text;
import io.asynq.broker.redis.limit.LimitScripts.Turn;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Makes tasks pending for which tokens are reserved, which lie in another slot. What is
 * cut between the two steps ends with the reservation, and is found by
 * {@link RedisLimitStore#lookAfter}.
 */
final class Promotion {

	private static final Logger logger = OneLineLogger.of(Promotion.class);

	/** How often tokens are passed on that found no task; then by the next look. */
	private static final int ROUNDS = 100;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final LimitScripts limits;

	private final long reservationMillis;

	Promotion(ScriptRunner scripts, ScriptTime time, LimitScripts limits, long reservationMillis) {
		this.scripts = scripts;
		this.time = time;
		this.limits = limits;
		this.reservationMillis = reservationMillis;
	}

	/**
	 * Makes tasks pending.
	 * @return the queues that have got some
	 */
	Set<String> promote(List<Turn> reserved) {
		Set<String> promoted = new LinkedHashSet<>();
		List<Turn> turns = reserved;
		for (int round = 0; round < ROUNDS && !turns.isEmpty(); round++) {
			Map<String, List<Turn>> byQueue = new LinkedHashMap<>();
			turns.forEach(
					(turn) -> byQueue.computeIfAbsent(turn.limits().queue(), (queue) -> new ArrayList<>()).add(turn));
			List<Object> unused = new ArrayList<>();
			List<LimitClass> empty = new ArrayList<>();
			byQueue.forEach((queue, its) -> promote(queue, its, promoted, unused, empty));
			turns = unused.isEmpty() ? List.of()
					: this.limits.turns(LuaScript.GIVE_BACK_TURNS, unused, this.reservationMillis);
			turns = withLate(turns, empty);
		}
		return promoted;
	}

	private void promote(String queue, List<Turn> turns, Set<String> promoted, List<Object> unused,
			List<LimitClass> empty) {
		List<Object> answer;
		try {
			answer = call(queue, turns);
		}
		catch (BrokerException ex) {
			// Others go first for a while, then a look finds these tasks
			logger.debug("Tasks of queue {} wait on", queue, ex);
			turns.forEach((turn) -> unused.addAll(List.of(turn.limits().text(), turn.tasks(), "paused")));
			return;
		}
		for (int i = 0; i < turns.size(); i++) {
			Turn turn = turns.get(i);
			int moved = ((Long) answer.get(2 * i)).intValue();
			boolean none = (Long) answer.get(2 * i + 1) == 0;
			if (moved > 0) {
				promoted.add(queue);
			}
			if (moved < turn.tasks()) {
				unused.add(turn.limits().text());
				unused.add(turn.tasks() - Math.max(0, moved));
				unused.add((moved < 0) ? "paused" : none ? "empty" : "more");
				if (none) {
					empty.add(turn.limits());
				}
			}
		}
	}

	/**
	 * Adds those that were found empty but have got tasks before this was noted: whoever
	 * lined them up may have done so too early.
	 */
	private List<Turn> withLate(List<Turn> turns, List<LimitClass> empty) {
		List<Object> late = new ArrayList<>();
		for (LimitClass limits : empty) {
			if (anyWaits(limits)) {
				late.add(limits.text());
			}
		}
		if (late.isEmpty()) {
			return turns;
		}
		List<Turn> all = new ArrayList<>(turns);
		all.addAll(this.limits.turns(LuaScript.LINE_UP, late, this.reservationMillis));
		return all;
	}

	private boolean anyWaits(LimitClass limits) {
		try {
			return (Long) call(limits.queue(), List.of(new Turn(limits, 0))).get(1) > 0;
		}
		catch (BrokerException ex) {
			// The next look finds them
			return false;
		}
	}

	private List<Object> call(String queue, List<Turn> turns) {
		Keys keys = Keys.of(queue);
		List<Object> args = new ArrayList<>(List.of(this.time.argument(), keys.taskPrefix()));
		for (Turn turn : turns) {
			args.add(turn.limits().needs());
			args.add(turn.tasks());
		}
		return this.scripts.runList(LuaScript.PROMOTE_WAITING, Text.queue(queue),
				List.of(keys.pending(), keys.retry(), keys.paused(), keys.waiting()), args.toArray());
	}

}
