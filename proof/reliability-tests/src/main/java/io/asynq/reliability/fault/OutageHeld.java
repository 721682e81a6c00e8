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
import org.springframework.data.redis.core.StringRedisTemplate;

/** For longer than a lease, and one of the workers is killed meanwhile. */
final class OutageHeld extends Fault {

	/** Tasks are fetched ahead where the way to Redis is long. */
	private static final Duration DELAY = Duration.ofMillis(5);

	/** Two of them run at a time, for a second each. */
	private static final int LIMITED = 16;

	/** The queue of tasks that are fetched ahead, which has no limited ones. */
	private static final String QUEUE = "low";

	/** Several times what all workers may hold: fewer are not fetched ahead. */
	private static final int AHEAD = 6000;

	/** So many are active only if workers hold some beside those that run. */
	private static final int ACTIVE = 200;

	/** How often it may be tried in vain. */
	private static final int ATTEMPTS = 8;

	private static final int WORKERS = 3;

	private static final String LIMITED_WORK = "limited";

	private static final String AHEAD_WORK = "ahead";

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private final List<Outage> outages = new ArrayList<>();

	private int wanted;

	OutageHeld() {
		super("outage-held", Scenario.of(300, 10), Scenario.of(3000, 100));
		with((scenario) -> scenario.workers(WorkerKind.JAVA, WorkerKind.JAVA, WorkerKind.JAVA));
		timing((scale) -> Timing.of(scale).withTokens());
		on(() -> {
			ProxiedRedis redis = ProxiedRedis.start();
			redis.proxy().delay(DELAY);
			return redis;
		});
		resumes((scale) -> Resumes.within(SigKillLimited.RESUMED));
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		this.wanted = (stage.scale() == Scale.QUICK) ? 1 : 3;
		ProxiedRedis redis = stage.redis(ProxiedRedis.class);
		for (int i = 1; this.outages.size() < this.wanted && i <= this.wanted + ATTEMPTS; i++) {
			String limited = LIMITED_WORK + i;
			stage.producer().limitedWork(limited, LIMITED);
			List<Worker> others = new ArrayList<>();
			if (stage.await(PATIENCE, () -> others.addAll(othersThanHolders(stage, limited)))) {
				Worker victim = others.get(0);
				try (Stage.Window all = stage.window(Explains.ANY, "Redis away")) {
					if (takeAway(stage, redis, i)) {
						try (Stage.Window killed = stage.window(victim.name(), Explains.ANY, "SIGKILL of " + victim)) {
							stage.fleet().kill(victim);
							stage.pause(stage.timing().lease().multipliedBy(4).dividedBy(3));
						}
					}
					redis.proxy().heal();
					redis.proxy().delay(DELAY);
				}
			}
			if (stage.fleet().workers().size() < WORKERS) {
				stage.fleet().start(WorkerKind.JAVA).awaitReady();
			}
			// Servers that know not how many there are fetch nothing ahead
			stage.pause(stage.timing().heartbeat().multipliedBy(2));
		}
		stage.fleet().awaitReady();
	}

	@Override
	public List<String> unproved(Ledger ledger) {
		List<String> findings = new ArrayList<>(LimitKept.findings(ledger));
		if (this.outages.size() < this.wanted) {
			findings.add("Redis was taken away only " + this.outages.size() + " times");
		}
		if (this.outages.stream().anyMatch((outage) -> !outage.isProof(ledger))) {
			findings.add("Nothing was held when Redis was taken away: " + this.outages);
		}
		return findings;
	}

	private static List<Worker> othersThanHolders(Stage stage, String limited) {
		List<Worker> holders = stage.atWork(limited);
		return holders.isEmpty() ? List.of()
				: stage.fleet()
					.workers()
					.stream()
					.filter((worker) -> worker.isReady() && !holders.contains(worker))
					.toList();
	}

	private boolean takeAway(Stage stage, ProxiedRedis redis, int number) throws InterruptedException {
		awaitHeld(stage, redis, AHEAD_WORK + number);
		Outage outage = new Outage(number, stage.clock().instant(),
				stage.fleet().workers().stream().map(Worker::name).toList());
		redis.proxy().silence();
		return outage.isProof(stage.ledger()) && this.outages.add(outage);
	}

	/** Enqueues many short tasks, and waits until workers may hold some of them. */
	private static void awaitHeld(Stage stage, ProxiedRedis redis, String name) throws InterruptedException {
		StringRedisTemplate direct = new StringRedisTemplate(redis.connections());
		direct.opsForValue().set("asynq:{" + QUEUE + "}:paused", "1");
		stage.producer().shortWork(QUEUE, name, AHEAD);
		direct.delete("asynq:{" + QUEUE + "}:paused");
		long active;
		long pending;
		do {
			active = size(direct, "active");
			pending = size(direct, "pending");
			stage.pause(Duration.ofMillis(1));
		}
		while (active <= ACTIVE && pending > AHEAD / 4);
	}

	private static long size(StringRedisTemplate redis, String suffix) {
		Long size = redis.opsForList().size("asynq:{" + QUEUE + "}:" + suffix);
		return (size != null) ? size : 0;
	}

	private static long running(Ledger ledger, String worker, Instant moment, String prefix) {
		return ledger.runningOn(worker, moment).stream().filter((run) -> run.task().id().startsWith(prefix)).count();
	}

	/** A time without Redis. */
	private record Outage(int number, Instant start, List<String> workers) {

		boolean isProof(Ledger ledger) {
			return this.workers.stream().anyMatch((worker) -> limited(ledger, worker) > 0)
					// So many may be about to start in idle workers
					&& this.workers.stream().anyMatch((worker) -> ahead(ledger, worker) > Load.CONCURRENCY);
		}

		private long limited(Ledger ledger, String worker) {
			return running(ledger, worker, this.start, LIMITED_WORK + this.number + "-");
		}

		/** Returns how many short tasks a worker had taken and not ended. */
		private long ahead(Ledger ledger, String worker) {
			return ledger.heldBy(worker, this.start)
				.stream()
				.filter((task) -> task.id().startsWith(AHEAD_WORK + this.number + "-"))
				.count();
		}

	}

}
