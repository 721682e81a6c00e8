package io.asynq.internal.limit;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import io.asynq.inspect.LimitInfo;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.Text;
import io.asynq.internal.worker.LimitClass;

/** Counts waiting tasks of the first 20,000 keys of a queue only. */
public class LimitReader {

	private static final int LIMITS = 1000;

	private static final int SLICE = 1000;

	private static final int SLICES = 20;

	private static final Comparator<LimitInfo.Key> BUSIEST = Comparator.comparingLong(LimitInfo.Key::waiting)
		.thenComparingLong(LimitInfo.Key::held)
		.reversed()
		.thenComparing(LimitInfo.Key::key);

	private final ScriptRunner scripts;

	public LimitReader(ScriptRunner scripts) {
		this.scripts = scripts;
	}

	/** Lists at most a thousand limits, by name. */
	public List<LimitInfo> limits() {
		List<Object> answer = read();
		Map<String, Long> waiting = new HashMap<>();
		eachWaiting(queues(answer), (need, tasks) -> waiting.merge(LimitClass.limit(need), tasks, Long::sum));
		List<LimitInfo> limits = new ArrayList<>();
		for (int i = 1; i < answer.size(); i += 4) {
			String name = Text.of(answer.get(i));
			LimitRule rule = LimitRule.of(Text.of(answer.get(i + 1)));
			limits.add(new LimitInfo(name, rule.concurrent(), rule.rate(), (Long) answer.get(i + 2),
					waiting.getOrDefault(name, 0L), (Long) answer.get(i + 3)));
		}
		return limits;
	}

	public List<LimitInfo.Key> keys(String limit, int max) {
		Map<String, Long> waiting = new HashMap<>();
		eachWaiting(queues(read()), (need, tasks) -> {
			if (LimitClass.limit(need).equals(limit)) {
				waiting.merge(LimitClass.key(need), tasks, Long::sum);
			}
		});
		List<Object> args = new ArrayList<>(List.of(max));
		waiting.entrySet()
			.stream()
			.sorted(Map.Entry.<String, Long>comparingByValue().reversed())
			.limit(max)
			.forEach((entry) -> args.add(entry.getKey()));
		List<Object> answer = this.scripts.runList(LuaScript.READ_LIMIT_KEYS, "limit '" + limit + "'",
				List.of(Keys.LIMIT_PREFIX + "keys:" + limit), args.toArray());
		List<LimitInfo.Key> keys = new ArrayList<>();
		for (int i = 0; i < answer.size(); i += 2) {
			String key = Text.of(answer.get(i));
			keys.add(new LimitInfo.Key(key, (Long) answer.get(i + 1), waiting.getOrDefault(key, 0L)));
		}
		return keys.stream().sorted(BUSIEST).limit(max).toList();
	}

	/** Lists all limits of a waiting task, some of which may have free tokens by now. */
	public List<String> waitsFor(String queue, String id) {
		Keys keys = Keys.of(queue);
		List<Object> answer = this.scripts.runList(LuaScript.READ_WAIT, Text.task(queue, id),
				List.of(keys.task(id), keys.retry()), id);
		if (answer.isEmpty()) {
			return List.of();
		}
		return new LimitClass(queue, Text.of(answer.get(0))).each()
			.stream()
			.map((need) -> LimitClass.limit(need) + (need.indexOf('\t') < 0 ? "" : ":" + LimitClass.key(need)))
			.toList();
	}

	/** Answers for the first thousand needs of a queue only. */
	public List<Starving> starving() {
		List<Starving> all = new ArrayList<>();
		for (String queue : queues(read())) {
			List<Object> answer = this.scripts.runList(LuaScript.READ_OLDEST_WAITING, Text.queue(queue),
					List.of(Keys.of(queue).waiting()), SLICE);
			Map<String, Starving> byLimit = new LinkedHashMap<>();
			for (int i = 0; i < answer.size(); i += 3) {
				long tasks = (Long) answer.get(i + 1);
				Instant since = Instant.EPOCH.plus((long) Double.parseDouble(Text.of(answer.get(i + 2))),
						ChronoUnit.MICROS);
				new LimitClass(queue, Text.of(answer.get(i))).each()
					.stream()
					.map(LimitClass::limit)
					.distinct()
					.forEach((limit) -> byLimit.merge(limit, new Starving(queue, limit, tasks, since),
							(one, other) -> new Starving(queue, limit, one.tasks() + other.tasks(),
									one.since().isBefore(other.since()) ? one.since() : other.since())));
			}
			all.addAll(byLimit.values());
		}
		return all;
	}

	private void eachWaiting(Collection<String> queues, BiConsumer<String, Long> action) {
		for (String queue : queues) {
			List<Object> answer;
			int slice = 0;
			do {
				answer = this.scripts.runList(LuaScript.COUNT_WAITING, Text.queue(queue),
						List.of(Keys.of(queue).waiting()), slice * SLICE, SLICE);
				for (int i = 0; i < answer.size(); i += 2) {
					Long tasks = (Long) answer.get(i + 1);
					new LimitClass(queue, Text.of(answer.get(i))).each().forEach((need) -> action.accept(need, tasks));
				}
				slice++;
			}
			while (answer.size() == 2 * SLICE && slice < SLICES);
		}
	}

	private List<Object> read() {
		return this.scripts.runList(LuaScript.READ_LIMITS, "limits", List.of(Keys.LIMIT_RULES), Keys.LIMIT_PREFIX,
				LIMITS);
	}

	private static List<String> queues(List<Object> answer) {
		return ((List<?>) answer.get(0)).stream().map(Text::of).toList();
	}

	public record Starving(String queue, String limit, long tasks, Instant since) {
	}

}
