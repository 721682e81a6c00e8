package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.asynq.reliability.load.Load;
import io.asynq.reliability.process.Worker;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.Run;
import io.asynq.test.ledger.TaskKey;
import io.asynq.test.redis.ProxiedRedis;
import io.asynq.test.redis.RedisSetup;

import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Workers that are far from Redis are killed, paused and cut off while they hold tasks
 * that they have fetched ahead. A task that had not begun must not count as crashed.
 */
final class HeldTasks implements Fault {

	private static final Duration DISTANCE = Duration.ofMillis(5);

	/** Long enough to learn how fast tasks run, and too short for the backlog. */
	private static final Duration AT_WORK = Duration.ofMillis(400);

	private final Set<String> victims = new HashSet<>();

	@Override
	public String name() {
		return "held-tasks";
	}

	@Override
	public Scenario scenario(Scale scale) {
		return ((scale == Scale.QUICK) ? Scenario.of(20_000, Duration.ofSeconds(8))
				: Scenario.of(80_000, Duration.ofSeconds(40)))
			.longTasks(0);
	}

	@Override
	public RedisSetup openRedis() {
		return ProxiedRedis.start();
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		ProxiedRedis redis = stage.redis(ProxiedRedis.class);
		StringRedisTemplate queues = new StringRedisTemplate(redis.connections());
		pause(queues);
		while (stage.feeding()) {
			stage.pause(Duration.ofMillis(100));
		}
		redis.proxy().delay(DISTANCE);
		int kills = (stage.scale() == Scale.QUICK) ? 2 : 6;
		for (int i = 0; i < kills; i++) {
			resume(queues);
			stage.pause(AT_WORK);
			Worker victim = stage.fleet().workers().get(0);
			try (Stage.Window window = stage.window(victim.name(), Explains.ANY, "SIGKILL of " + victim)) {
				stage.fleet().kill(victim);
			}
			this.victims.add(victim.name());
			pause(queues);
			stage.fleet().start(victim.kind());
			stage.fleet().awaitReady();
		}
		resume(queues);
		stage.pause(AT_WORK);
		try (Stage.Window window = stage.window(Stage.Window.ALL, Explains.NOTHING, "nothing passes")) {
			redis.proxy().silence();
			stage.pause(stage.timing().lease().dividedBy(3));
			redis.proxy().heal();
		}
	}

	@Override
	public List<String> unproved(Ledger ledger) {
		List<String> unproved = new ArrayList<>();
		int held = 0;
		int counted = 0;
		for (TaskKey task : ledger.enqueued().keySet()) {
			if (ledger.neverBegun(task).anyMatch((taken) -> this.victims.contains(taken.worker()))) {
				held++;
				counted += ledger.runsOf(task)
					.stream()
					.min(Comparator.comparing(Run::start))
					.filter((run) -> run.attempt() > 0)
					.isPresent() ? 1 : 0;
			}
		}
		if (held <= Load.CONCURRENCY * this.victims.size()) {
			unproved.add("only " + held + " tasks were held by workers that were killed");
		}
		if (counted > 0) {
			unproved.add(counted + " tasks had not begun, but count as crashed");
		}
		return unproved;
	}

	private static void pause(StringRedisTemplate queues) {
		Load.QUEUES.keySet().forEach((queue) -> queues.opsForValue().set(key(queue), "1"));
	}

	private static void resume(StringRedisTemplate queues) {
		Load.QUEUES.keySet().forEach((queue) -> queues.delete(key(queue)));
	}

	private static String key(String queue) {
		return "asynq:{" + queue + "}:paused";
	}

}
