package io.asynq.reliability.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.asynq.reliability.check.Resumes;
import io.asynq.reliability.load.Load;
import io.asynq.reliability.process.Worker;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.redis.ProxiedRedis;
import io.asynq.test.redis.RedisSetup;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Redis cannot be reached for longer than a lease while workers hold tokens of a limit
 * and tasks that they have fetched ahead, and one of them is killed meanwhile. All leases
 * end; the limit holds, and all tasks run.
 */
final class OutageHeld implements Fault {

	/** Tasks are fetched ahead where the way to Redis is long. */
	private static final Duration DELAY = Duration.ofMillis(5);

	/** Two of them run at a time, for a second each. */
	private static final int LIMITED = 20;

	/** The queue of tasks that are fetched ahead, which has no limited ones. */
	private static final String QUEUE = "low";

	/** Several times what three workers may hold: fewer are not fetched ahead. */
	private static final int AHEAD = 6000;

	private static final String LIMITED_WORK = "limited";

	private static final String AHEAD_WORK = "ahead";

	private static final Duration LOOK = Duration.ofMillis(50);

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	/** A killed worker may have held a token: see {@link SigKillLimited}. */
	private static final Duration RESUMED = Timing.TOKEN.plusSeconds(45);

	private final List<Outage> outages = new ArrayList<>();

	private int wanted;

	@Override
	public String name() {
		return "outage-held";
	}

	@Override
	public Scenario scenario(Scale scale) {
		Scenario scenario = (scale == Scale.QUICK) ? Scenario.of(300, Duration.ofSeconds(10))
				: Scenario.of(3000, Duration.ofSeconds(100));
		return scenario.workers(WorkerKind.JAVA, WorkerKind.JAVA, WorkerKind.JAVA);
	}

	@Override
	public Timing timing(Scale scale) {
		return Timing.of(scale).withTokens();
	}

	@Override
	public RedisSetup openRedis() {
		ProxiedRedis redis = ProxiedRedis.start();
		redis.proxy().delay(DELAY);
		return redis;
	}

	@Override
	public Resumes resumesWithin(Scale scale) {
		return Resumes.within(RESUMED);
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		this.wanted = (stage.scale() == Scale.QUICK) ? 1 : 3;
		ProxiedRedis redis = stage.redis(ProxiedRedis.class);
		for (int i = 1; i <= this.wanted; i++) {
			stage.limitedWork(LIMITED_WORK + i, LIMITED);
			Worker victim = awaitOtherThanHolder(stage, LIMITED_WORK + i + "-");
			if (victim != null && awaitHeld(stage, redis, AHEAD_WORK + i)) {
				this.outages.add(new Outage(i, stage.clock().instant(),
						stage.fleet().workers().stream().map(Worker::name).toList()));
				try (Stage.Window all = stage.window(Stage.Window.ALL, Explains.ANY,
						"Redis away for longer than a lease");
						Stage.Window killed = stage.window(victim.name(), Explains.ANY, "SIGKILL of " + victim)) {
					redis.proxy().silence();
					stage.fleet().kill(victim);
					stage.pause(stage.timing().lease().multipliedBy(4).dividedBy(3));
					redis.proxy().heal();
					redis.proxy().delay(DELAY);
				}
				stage.fleet().start(WorkerKind.JAVA).awaitReady();
			}
		}
		stage.fleet().awaitReady();
	}

	@Override
	public List<String> unproved(Ledger ledger) {
		List<String> findings = new ArrayList<>(LimitKept.findings(ledger));
		if (this.outages.size() < this.wanted) {
			findings.add("Redis was taken away only " + this.outages.size() + " times");
		}
		for (Outage outage : this.outages) {
			if (outage.workers().stream().allMatch((worker) -> outage.limited(ledger, worker) == 0)) {
				findings.add("No worker held a token when " + outage + " began");
			}
			// So many may be about to start in idle workers
			if (outage.workers().stream().allMatch((worker) -> outage.ahead(ledger, worker) <= Load.CONCURRENCY)) {
				findings.add("No worker held tasks that it had fetched ahead when " + outage + " began");
			}
		}
		return findings;
	}

	/**
	 * Waits until limited tasks run.
	 * @param prefix of their ids
	 * @return a worker that runs none of them
	 */
	private static @Nullable Worker awaitOtherThanHolder(Stage stage, String prefix) throws InterruptedException {
		Instant end = stage.clock().instant().plus(PATIENCE);
		while (stage.clock().instant().isBefore(end)) {
			Ledger ledger = stage.ledger();
			Instant now = stage.clock().instant();
			List<Worker> ready = stage.fleet().workers().stream().filter(Worker::isReady).toList();
			List<Worker> others = ready.stream()
				.filter((worker) -> running(ledger, worker.name(), now, prefix) == 0)
				.toList();
			if (!others.isEmpty() && others.size() < ready.size()) {
				return others.get(0);
			}
			stage.pause(LOOK);
		}
		return null;
	}

	/**
	 * Enqueues many short tasks, and waits until workers are in the midst of them.
	 */
	private static boolean awaitHeld(Stage stage, ProxiedRedis redis, String name) throws InterruptedException {
		StringRedisTemplate direct = new StringRedisTemplate(redis.connections());
		direct.opsForValue().set("asynq:{" + QUEUE + "}:paused", "1");
		stage.shortWork(QUEUE, name, AHEAD);
		direct.delete("asynq:{" + QUEUE + "}:paused");
		Instant end = stage.clock().instant().plus(PATIENCE);
		while (stage.clock().instant().isBefore(end)) {
			Long pending = direct.opsForList().size("asynq:{" + QUEUE + "}:pending");
			if (pending != null && pending < AHEAD * 2 / 3) {
				return true;
			}
			stage.pause(Duration.ofMillis(1));
		}
		return false;
	}

	private static long running(Ledger ledger, String worker, Instant moment, String prefix) {
		return ledger.runningOn(worker, moment).stream().filter((run) -> run.task().id().startsWith(prefix)).count();
	}

	/**
	 * A time without Redis.
	 *
	 * @param workers those that lived when it began
	 */
	private record Outage(int number, Instant start, List<String> workers) {

		long limited(Ledger ledger, String worker) {
			return running(ledger, worker, this.start, LIMITED_WORK + this.number + "-");
		}

		/** Returns how many short tasks a worker had taken and not ended. */
		long ahead(Ledger ledger, String worker) {
			return ledger.heldBy(worker, this.start)
				.stream()
				.filter((task) -> task.id().startsWith(AHEAD_WORK + this.number + "-"))
				.count();
		}

	}

}
