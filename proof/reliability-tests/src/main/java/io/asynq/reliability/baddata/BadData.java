package io.asynq.reliability.baddata;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

import io.asynq.server.BrokenTask;
import io.asynq.test.redis.RedisSetup;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Keys of the wrong type belong to a queue that is idle meanwhile: the outcome of a task
 * that runs there could not be written, so it may run again.
 */
public final class BadData {

	/** Enough to spoil each key once, even in a short run. */
	private static final int ROUNDS = 25;

	private static final int MOST_PER_ROUND = 100;

	private static final Duration SETTLING = Duration.ofSeconds(60);

	private final RedisSetup redis;

	private final Random random;

	private final List<Planted> planted = new ArrayList<>();

	private final Map<String, Integer> counts = new TreeMap<>();

	private final List<String> findings = new ArrayList<>();

	private BadData(RedisSetup redis, long seed) {
		this.redis = redis;
		this.random = new Random(seed);
	}

	public static Result run(RedisSetup redis, long seed, int corruptions) {
		return new BadData(redis, seed).run(corruptions);
	}

	private Result run(int corruptions) {
		RawQueue mixed = queue("mixed");
		RawQueue well = queue("well");
		RawQueue spoilt = queue("spoilt");
		try (Subject subject = Subject.start(this.redis.springProperties(), "mixed", "well", "spoilt");
				LogWatch log = LogWatch.open()) {
			HealthyTasks healthy = new HealthyTasks(subject.handled());
			Set<String> loops = Subject.loops();
			List<SpoiltKey.Target> targets = SpoiltKey.targets();
			int perRound = Math.min(MOST_PER_ROUND, 1 + corruptions / ROUNDS);
			for (int round = 0; total() < corruptions; round++) {
				plant(mixed, round, Math.min(perRound, corruptions - total()), corruptions);
				spoil(spoilt, targets.get(round % targets.size()), healthy, List.of(mixed, well), round);
			}
			settle(subject);
			this.findings.addAll(healthy.complaints());
			this.findings.addAll(log.traces());
			this.findings.addAll(wrongCounts(subject));
			if (!Subject.loops().containsAll(loops)) {
				this.findings.add("Of the loops " + loops + " there are left " + Subject.loops());
			}
			return new Result(this.counts, healthy.count(), healthy.longest(), log.lines(), this.findings);
		}
	}

	private RawQueue queue(String name) {
		return new RawQueue(this.redis.connections(), name);
	}

	private int total() {
		return this.counts.values().stream().mapToInt(Integer::intValue).sum();
	}

	private void plant(RawQueue queue, int round, int count, int corruptions) {
		for (int i = 0; i < count; i++) {
			Corruption kind = Corruption.values()[this.random.nextInt(Corruption.values().length)];
			int number = this.counts.getOrDefault(kind.toString(), 0);
			if (number < kind.most(corruptions)) {
				this.planted.add(kind.plant(queue, "bad-" + round + "-" + i, number, this.random));
				this.counts.put(kind.toString(), number + 1);
			}
		}
	}

	/**
	 * Spoils a key until valid tasks of other queues have run and every loop has met it.
	 */
	private void spoil(RawQueue queue, SpoiltKey.Target target, HealthyTasks healthy, List<RawQueue> others,
			int round) {
		List<HealthyTasks.Sent> waiting = new ArrayList<>();
		String key;
		// A task that was handled is not idle until its outcome is written
		Awaitility.await().atMost(SETTLING).until(queue::isIdle);
		try (SpoiltKey spoilt = SpoiltKey.open(queue, target, this.random)) {
			key = spoilt.toString();
			this.counts.merge("key-of-wrong-type", 1, Integer::sum);
			for (int i = 0; i < 3; i++) {
				for (RawQueue other : others) {
					report(key, healthy.await(healthy.send(other, "fine-" + round + "-" + i, 5)));
				}
			}
			if (!target.suffix().equals("pending")) {
				waiting.addAll(healthy.send(queue, "during-" + round, 3));
			}
			// The round that finds the first one may have begun before
			awaitRound(others.get(0));
			awaitRound(others.get(0));
		}
		List<HealthyTasks.Sent> resuming = new ArrayList<>(healthy.fromNow(waiting));
		resuming.addAll(healthy.send(queue, "after-" + round, 3));
		report(key, healthy.await(resuming));
	}

	/**
	 * Recoverer and janitor visit all queues in turn, so an effect in one shows their
	 * progress.
	 */
	private static void awaitRound(RawQueue queue) {
		byte[] expired = RawQueue.utf8("round-expired");
		byte[] ended = RawQueue.utf8("round-ended");
		queue.task(expired, null, "completed");
		queue.sorted("completed", expired, Corruption.Place.PAST);
		queue.task(ended, null, "archived");
		queue.sorted("lease", ended, Corruption.Place.PAST);
		Awaitility.await()
			.atMost(SETTLING)
			.until(() -> !queue.isSorted("completed", expired) && !queue.isSorted("lease", ended));
		queue.run("DEL", queue.taskKey(ended));
	}

	private void report(String key, List<String> late) {
		late.forEach((line) -> this.findings.add(line + " (" + key + ")"));
	}

	private void settle(Subject subject) {
		try {
			Awaitility.await()
				.atMost(SETTLING)
				.pollInterval(Duration.ofMillis(500))
				.until(() -> complaints(subject, 1).isEmpty() && wrongCounts(subject).isEmpty());
		}
		catch (ConditionTimeoutException ex) {
			this.findings.addAll(complaints(subject, Integer.MAX_VALUE));
		}
	}

	private List<String> complaints(Subject subject, int most) {
		List<String> complaints = new ArrayList<>();
		for (Planted one : this.planted) {
			String complaint = one.complaint(subject.handled().times(one.queue().name(), one.text()));
			if (complaint != null) {
				complaints.add(complaint);
				if (complaints.size() >= most) {
					break;
				}
			}
		}
		return complaints;
	}

	/** A task is counted after it was dealt with. */
	private List<String> wrongCounts(Subject subject) {
		List<String> wrong = new ArrayList<>();
		Map<BrokenTask.Kind, Long> expected = new EnumMap<>(BrokenTask.Kind.class);
		for (Planted one : this.planted) {
			if (one.fate().countedAs != null) {
				expected.merge(one.fate().countedAs, 1L, Long::sum);
			}
		}
		// A duplicate id may be found again after its task is gone
		long more = this.counts.getOrDefault(Corruption.ID_LISTED_TWICE.toString(), 0);
		expected.forEach((kind, least) -> {
			long most = least + ((kind == BrokenTask.Kind.MISSING) ? more : 0);
			long counted = subject.counted(kind);
			if (counted < least || counted > most) {
				wrong.add("asynq.tasks.broken of " + kind + " is " + counted + " instead of " + least
						+ ((most > least) ? " to " + most : ""));
			}
		});
		return wrong;
	}

	/** The result of a run. */
	public record Result(Map<String, Integer> planted, int healthy, Duration longestWait, int logLines,
			List<String> findings) {

		public int corruptions() {
			return this.planted.values().stream().mapToInt(Integer::intValue).sum();
		}

	}

}
