package io.asynq.reliability.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.asynq.reliability.load.Load;
import io.asynq.reliability.process.Worker;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.redis.ClusterRedis;
import io.asynq.test.redis.ProxiedRedis;
import io.asynq.test.redis.RedisNode;
import io.asynq.test.redis.SentinelRedis;
import io.asynq.test.redis.StandaloneRedis;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

/** All faults, in the order of the table. */
public final class Faults {

	private static final List<Supplier<Fault>> ALL = List.of(Faults::none, SigKill::ofJava, SigKill::ofBoth,
			SigKillAggregating::new, SigKillSchedulers::new, SigKillLimited::new, Faults::sigStop,
			Faults::rollingRestart, OrderlyExit::new, DeadlyAggregator::new, Faults::scriptFlush, Faults::clientKill,
			Faults::clockSkew, ClockStep::new, RedisClockStep::running, RedisClockStep::promoted, Faults::slowRedis,
			() -> redisKill("always", Explains.NOTHING, Duration.ZERO),
			// Redis syncs once a second, and documents that up to two seconds may be lost
			() -> redisKill("everysec", Explains.ANY, Duration.ofSeconds(2)), Faults::sentinelFailover,
			Faults::clusterFailover, Faults::clusterSlotMove, Faults::dropAnswers, () -> latency(1), () -> latency(100),
			Faults::maxMemory, Faults::readOnlyReplica, Faults::fullDisk, Faults::silentNetwork, OutageHeld::new,
			ManyNames::new, BusyPool::new, StopWithoutRedis::new, Faults::throwingCallbacks);

	private Faults() {
	}

	public static List<Fault> all() {
		return ALL.stream().<Fault>map(Supplier::get).toList();
	}

	private static Fault none() {
		return new Fault("none", Scenario.of(3_000, 8), Scenario.of(20_000, 40));
	}

	/** The outcomes of a worker whose leases were lost meanwhile must be refused. */
	private static Fault sigStop() {
		return new Fault("sigstop", Scenario.of(2_000, 20), Scenario.of(15_000, 150))
			.with((scenario) -> scenario.longTasks(60))
			.harm((stage) -> {
				int rounds = (stage.scale() == Scale.QUICK) ? 1 : 3;
				for (int i = 0; i < rounds; i++) {
					stage.pause(Duration.ofSeconds(3));
					List<Worker> workers = stage.fleet().workers();
					Worker victim = workers.get(stage.random().nextInt(workers.size()));
					try (Stage.Window window = stage.window(victim.name(), Explains.ANY, "SIGSTOP of " + victim)) {
						victim.suspend();
						Instant stopped = stage.clock().instant();
						stage.pause(stage.timing().lease());
						stage.await(stage.timing().recovery().minus(stage.timing().lease()),
								() -> isTakenOver(victim, stopped, stage.ledger()));
						victim.resume();
					}
				}
			});
	}

	private static boolean isTakenOver(Worker victim, Instant stopped, Ledger ledger) {
		return ledger.runningOn(victim.name(), stopped)
			.stream()
			.anyMatch((run) -> ledger.runsOf(run.task())
				.stream()
				.anyMatch((other) -> other.start().isAfter(run.start()) && other.end() == null));
	}

	/** With tasks in progress that partly take longer than the shutdown time-out. */
	private static Fault rollingRestart() {
		return new Fault("rolling-restart", Scenario.of(2_500, 12), Scenario.of(20_000, 60))
			.with((scenario) -> scenario.longTasks(40).property("asynq.server.shutdown-timeout", "2s"))
			.harm((stage) -> {
				int rounds = (stage.scale() == Scale.QUICK) ? 1 : 4;
				for (int i = 0; i < rounds; i++) {
					for (Worker old : stage.fleet().workers()) {
						stage.fleet().start(old.kind()).awaitReady();
						stage.pause(Duration.ofMillis(stage.random().nextInt(1000)));
						stage.terminate(old, Explains.REQUEUED);
					}
				}
			});
	}

	private static Fault scriptFlush() {
		return new Fault("script-flush", Scenario.of(2_500, 6), Scenario.of(15_000, 30)).again(
				(stage) -> Duration.ofMillis(stage.random().nextInt(200)), Explains.NOTHING, "SCRIPT FLUSH",
				(stage) -> node(stage).call((jedis) -> jedis.scriptFlush()));
	}

	private static Fault clientKill() {
		return new Fault("client-kill", Scenario.of(2_500, 8), Scenario.of(15_000, 40))
			.again(pause(200, 800), Explains.NOTHING, "CLIENT KILL", (stage) -> node(stage)
				.call((jedis) -> jedis.clientKill(new ClientKillParams().type(ClientType.PUBSUB)) + jedis
					.clientKill(new ClientKillParams().type(ClientType.NORMAL).skipMe(ClientKillParams.SkipMe.YES))));
	}

	/** To one of the clocks, a new lease of another server looks expired. */
	private static Fault clockSkew() {
		return new Fault("clock-skew", Scenario.of(2_000, 12), Scenario.of(15_000, 75))
			.with((scenario) -> scenario.workers(WorkerKind.JAVA).longTasks(40))
			.throughout("clocks 60 s apart", (stage) -> {
				Duration ahead = stage.timing().lease();
				for (Duration offset : List.of(ahead, ahead.minusSeconds(60))) {
					stage.fleet()
						.start(WorkerKind.JAVA, Map.of("reliability.clock-offset", offset.toMillis() + "ms"))
						.awaitReady();
				}
			});
	}

	/** Stopped most of the time, once for longer than callers wait for an answer. */
	private static Fault slowRedis() {
		return new Fault("slow-redis", Scenario.of(2_000, 10), Scenario.of(10_000, 40)).timing(Timing::ofOutages)
			.harm((stage) -> {
				stage.pause(Duration.ofSeconds(2));
				Duration slow = Duration.ofSeconds((stage.scale() == Scale.QUICK) ? 10 : 20);
				try (Stage.Window window = stage.window(Explains.NOTHING, "Redis stopped most of " + slow)) {
					stop(stage, Duration.ofMillis(2500));
					long end = System.nanoTime() + slow.toNanos();
					while (System.nanoTime() < end) {
						stop(stage, Duration.ofMillis(50 + stage.random().nextInt(700)));
					}
				}
			});
	}

	private static void stop(Stage stage, Duration time) throws InterruptedException {
		node(stage).pause();
		try {
			stage.pause(time);
		}
		finally {
			node(stage).resume();
		}
		// On a busy machine it goes on later
		node(stage).call((jedis) -> jedis.ping());
		stage.pause(Duration.ofMillis(50));
	}

	/**
	 * Where each write is synced before its answer, not even a completion may be lost.
	 */
	private static Fault redisKill(String fsync, Explains explains, Duration mayLose) {
		return new Fault("redis-kill-" + fsync, Scenario.of(800, 5), Scenario.of(4000, 20)).timing(Timing::ofOutages)
			.on(() -> StandaloneRedis.start("appendonly yes", "appendfsync " + fsync))
			.mayLose(mayLose)
			.again(pause(1500, 1000), explains, "Redis killed", (stage) -> {
				node(stage).kill();
				node(stage).restart();
			});
	}

	/**
	 * Redis answers before its replicas have a write, so the promoted one may lack it.
	 */
	private static Fault sentinelFailover() {
		return new Fault("sentinel-failover", Scenario.of(600, 5), Scenario.of(3000, 20)).timing(Timing::ofOutages)
			.on(SentinelRedis::start)
			.mayLose(Duration.ofSeconds(1))
			.again((stage) -> Duration.ofSeconds(2), Explains.ANY, "master killed", (stage) -> {
				// Empty, and a master, until it is told otherwise
				stage.redis(SentinelRedis.class).failOver().restart();
				stage.redis(SentinelRedis.class).awaitReplicas(2);
			});
	}

	private static Fault clusterFailover() {
		return new Fault("cluster-failover", Scenario.of(600, 5), Scenario.of(3000, 20)).timing(Timing::ofOutages)
			.on(ClusterRedis::start)
			.mayLose(Duration.ofSeconds(1))
			.again((stage) -> Duration.ofSeconds(2), Explains.ANY, "master of a queue killed", (stage) -> {
				List<String> queues = List.copyOf(Load.QUEUES.keySet());
				String queue = queues.get(stage.random().nextInt(queues.size()));
				ClusterRedis redis = stage.redis(ClusterRedis.class);
				redis.killMaster(ClusterRedis.slotOfQueue(queue)).restart();
				redis.awaitComplete();
			});
	}

	/** Meanwhile Redis refuses commands that need keys of both sides. */
	private static Fault clusterSlotMove() {
		return new Fault("cluster-slot-move", Scenario.of(800, 4), Scenario.of(4000, 15)).timing(Timing::ofOutages)
			.on(ClusterRedis::start)
			.partsOfQueues()
			.harm((stage) -> {
				while (stage.feeding()) {
					for (String queue : Load.QUEUES.keySet()) {
						stage.pause(Duration.ofMillis(500));
						try (Stage.Window window = stage.window(Explains.NOTHING, "slot of " + queue + " moved")) {
							stage.redis(ClusterRedis.class).moveSlot(ClusterRedis.slotOfQueue(queue), stage.random());
						}
					}
				}
			});
	}

	/** Requests reach Redis but their answers are lost, and callers repeat them. */
	private static Fault dropAnswers() {
		return new Fault("drop-answers", Scenario.of(400, 4), Scenario.of(3000, 30)).timing(Timing::ofOutages)
			.on(ProxiedRedis::start)
			.persistent()
			.again(pause(200, 400), Explains.NOTHING, "answers dropped", (stage) -> {
				ProxiedRedis redis = stage.redis(ProxiedRedis.class);
				redis.proxy().dropAnswers(Duration.ofMillis(200));
				stage.pause(Duration.ofMillis(200 + stage.random().nextInt(300)));
				redis.proxy().heal();
			});
	}

	private static Fault latency(int millis) {
		// A producer that enqueues one task after the other is no faster
		return new Fault("latency-" + millis + "ms", Scenario.of(4000 / Math.max(5, millis + 2), 4),
				Scenario.of(15_000 / Math.max(5, millis + 2), 15))
			.on(() -> {
				ProxiedRedis redis = ProxiedRedis.start();
				redis.proxy().delay(Duration.ofMillis(millis));
				return redis;
			})
			.harm((stage) -> {
				while (stage.feeding()) {
					stage.pause(Duration.ofMillis(100));
				}
			});
	}

	private static Fault maxMemory() {
		return refusedWrites("maxmemory",
				(redis) -> redis.configure("maxmemory",
						String.valueOf(Long.parseLong(redis.info("memory").get("used_memory")) / 2)),
				(redis) -> redis.configure("maxmemory", "0"), "maxmemory-policy noeviction");
	}

	/** As by a mistake or in a manual failover. */
	private static Fault readOnlyReplica() {
		// Of a master that does not exist, because an existing one would replace its data
		return refusedWrites("read-only-replica", (redis) -> redis.call((jedis) -> jedis.replicaof("127.0.0.1", 1)),
				(redis) -> redis.call((jedis) -> jedis.replicaofNoOne()));
	}

	private static Fault fullDisk() {
		return refusedWrites("full-disk", RedisNode::fillDisk, RedisNode::makeRoom, "appendonly yes",
				"appendfsync everysec");
	}

	/** For less than a lease: outcomes wait until they are accepted. */
	private static Fault refusedWrites(String name, Consumer<RedisNode> begin, Consumer<RedisNode> end,
			String... settings) {
		return new Fault(name, Scenario.of(600, 4), Scenario.of(4000, 30)).timing(Timing::ofOutages)
			.on(() -> StandaloneRedis.start(settings))
			.again(Faults::healthy, Explains.NOTHING, "writes refused", (stage) -> {
				begin.accept(node(stage));
				stage.pause(stage.timing().lease().dividedBy(4));
				end.accept(node(stage));
			});
	}

	/** For less than a lease, and no connection is closed: callers see no error. */
	private static Fault silentNetwork() {
		return new Fault("silent-network", Scenario.of(400, 4), Scenario.of(3000, 40)).timing(Timing::ofOutages)
			.on(ProxiedRedis::start)
			.again(Faults::healthy, Explains.NOTHING, "nothing passes", (stage) -> {
				stage.redis(ProxiedRedis.class).proxy().silence();
				stage.pause(stage.timing().lease().dividedBy(3));
				stage.redis(ProxiedRedis.class).proxy().heal();
			});
	}

	/** Failed attempts are retried or archived exactly as often as without. */
	private static Fault throwingCallbacks() {
		return new Fault("throwing-callbacks", Scenario.of(2_000, 6), Scenario.of(10_000, 40))
			.with((scenario) -> scenario.property("reliability.hostile", "true")
				.property("asynq.server.stuck-handler-timeout", "1s"))
			.throughout("All callbacks throw", (stage) -> {
			});
	}

	private static RedisNode node(Stage stage) {
		return stage.redis(StandaloneRedis.class).node();
	}

	private static Function<Stage, Duration> pause(int leastMillis, int variety) {
		return (stage) -> Duration.ofMillis(leastMillis + stage.random().nextInt(variety));
	}

	/** Long enough between two to extend leases and to write outcomes. */
	private static Duration healthy(Stage stage) {
		return stage.timing().heartbeat().multipliedBy(2);
	}

}
