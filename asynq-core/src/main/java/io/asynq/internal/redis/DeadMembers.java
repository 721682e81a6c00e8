package io.asynq.internal.redis;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.asynq.BrokerException;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;
import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;

/**
 * Trims the lists as Go's inspector does; clocks differ, so a member is alive as long as
 * its key exists.
 */
public final class DeadMembers {

	private static final Logger logger = OneLineLogger.of(DeadMembers.class);

	private static final int PAGE = 500;

	/** How long it is known which servers have gone without signing off. */
	public static final Duration REMEMBERED = Duration.ofDays(1);

	private static final int MOST_REMEMBERED = 100;

	private final ScriptRunner scripts;

	private final Clock clock;

	public DeadMembers(ScriptRunner scripts, Clock clock) {
		this.scripts = scripts;
		this.clock = clock;
	}

	/** If this fails now, it happens later. */
	public void trim(String list, Function<String, List<String>> signsOfLife) {
		try {
			int alive = 0;
			int looked;
			do {
				List<byte[]> expired = expired(list, alive);
				List<byte[]> dead = dead(list, expired, signsOfLife);
				if (!dead.isEmpty()) {
					remove(list, dead);
				}
				looked = expired.size();
				alive += looked - dead.size();
			}
			while (looked == PAGE);
		}
		catch (BrokerException ex) {
			logger.debug("Dead members of {} stay listed for now", list, ex);
		}
	}

	/** Dead servers are remembered in a key of ours; the list itself stays Go's. */
	private void remove(String list, List<byte[]> dead) {
		this.scripts.run("ZREM", list, (template) -> {
			Set<TypedTuple<byte[]>> lost = new HashSet<>();
			if (list.equals(FleetKeys.SERVERS)) {
				List<Double> expiries = template.opsForZSet().score(list, dead.toArray());
				for (int i = 0; i < dead.size(); i++) {
					if (expiries.get(i) != null) {
						lost.add(TypedTuple.of(dead.get(i), expiries.get(i)));
					}
				}
			}
			Long removed = template.opsForZSet().remove(list, dead.toArray());
			if (!lost.isEmpty()) {
				template.opsForZSet().add(FleetKeys.LOST, lost);
				template.opsForZSet().removeRange(FleetKeys.LOST, 0, -MOST_REMEMBERED - 1);
				template.expire(FleetKeys.LOST, REMEMBERED);
			}
			return removed;
		});
	}

	private List<byte[]> expired(String list, int offset) {
		double before = Text.seconds(this.clock.instant()) - 1;
		Set<byte[]> members = this.scripts.run("ZRANGEBYSCORE", list,
				(template) -> (template.type(list) == DataType.ZSET)
						? template.opsForZSet().rangeByScore(list, Double.NEGATIVE_INFINITY, before, offset, PAGE)
						: Set.of());
		return List.copyOf(members);
	}

	private List<byte[]> dead(String list, List<byte[]> expired, Function<String, List<String>> signsOfLife) {
		List<String> all = new ArrayList<>();
		expired.forEach((member) -> all.addAll(signs(list, member, signsOfLife)));
		if (!anyExists(list, all)) {
			return expired;
		}
		return expired.stream().filter((member) -> !anyExists(list, signs(list, member, signsOfLife))).toList();
	}

	private static List<String> signs(String list, byte[] member, Function<String, List<String>> signsOfLife) {
		String key = Text.of(member);
		// Any other key may lie in any slot
		return key.startsWith(list + ":") ? signsOfLife.apply(key) : List.of();
	}

	private boolean anyExists(String list, List<String> keys) {
		byte[][] names = keys.stream().map(Text::utf8).toArray(byte[][]::new);
		// Unchecked, because on a cluster they lie on several nodes
		return names.length > 0 && this.scripts.<Long>runAsGiven("EXISTS", list,
				(connection) -> connection.keyCommands().exists(names)) > 0;
	}

}
