package io.asynq.reliability.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.asynq.reliability.check.Resumes;
import io.asynq.reliability.process.Worker;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.FaultWindow;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.Taken;
import io.asynq.test.ledger.TaskKey;
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
	private static final Duration DELAY = Duration.ofMillis(2);

	/** Two of them run at a time, for a second each. */
	private static final int LIMITED = 20;

	/** The queue of tasks that are fetched ahead, which has no limited ones. */
	private static final String QUEUE = "low";

	/** Several times what three workers may hold: fewer are not fetched ahead. */
	private static final int AHEAD = 6000;

	private static final Duration LOOK = Duration.ofMillis(50);

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	/** A killed worker may have held a token: see {@link SigKillLimited}. */
	private static final Duration RESUMED = Timing.TOKEN.plusSeconds(45);

	private int outages;

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
			stage.limitedWork("limited" + i, LIMITED);
			Worker victim = awaitOtherThanHolder(stage, "limited" + i);
			if (victim != null && awaitHeld(stage, redis, "ahead" + i)) {
				this.outages++;
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
		if (this.outages < this.wanted) {
			findings.add("Redis was taken away only " + this.outages + " times");
		}
		for (FaultWindow window : ledger.windows()) {
			if (FaultWindow.ALL.equals(window.worker())) {
				Set<String> workers = workers(ledger);
				if (workers.stream().allMatch((worker) -> limited(ledger, worker, window.start()) == 0)) {
					findings.add("No worker held a token: " + window);
				}
				if (workers.stream().allMatch((worker) -> ahead(ledger, worker, window.start()) == 0)) {
					findings.add("No worker held a task that it had fetched ahead: " + window);
				}
			}
		}
		return findings;
	}

	private static Set<String> workers(Ledger ledger) {
		return ledger.taken().values().stream().flatMap(List::stream).map(Taken::worker).collect(Collectors.toSet());
	}

	/**
	 * Returns how many tasks a worker had taken and not started.
	 */
	private static long ahead(Ledger ledger, String worker, Instant moment) {
		Set<TaskKey> held = new HashSet<>(ledger.heldBy(worker, moment));
		ledger.runningOn(worker, moment).forEach((run) -> held.remove(run.task()));
		return held.size();
	}

	/**
	 * Waits until limited tasks run.
	 * @return a worker that runs none of them
	 */
	private static @Nullable Worker awaitOtherThanHolder(Stage stage, String name) throws InterruptedException {
		Instant end = stage.clock().instant().plus(PATIENCE);
		while (stage.clock().instant().isBefore(end)) {
			Ledger ledger = stage.ledger();
			Instant now = stage.clock().instant();
			List<Worker> ready = stage.fleet().workers().stream().filter(Worker::isReady).toList();
			List<Worker> others = ready.stream().filter((worker) -> limited(ledger, worker.name(), now) == 0).toList();
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

	private static long limited(Ledger ledger, String worker, Instant moment) {
		return ledger.runningOn(worker, moment).stream().filter((run) -> run.task().id().startsWith("limited")).count();
	}

}
