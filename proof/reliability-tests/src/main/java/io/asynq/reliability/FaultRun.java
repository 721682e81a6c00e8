package io.asynq.reliability;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.asynq.reliability.check.Checker;
import io.asynq.reliability.check.Finding;
import io.asynq.reliability.check.Inspectors;
import io.asynq.reliability.check.RedisView;
import io.asynq.reliability.check.Rules;
import io.asynq.reliability.check.StandstillWatch;
import io.asynq.reliability.check.StandstillWatch.Standstill;
import io.asynq.reliability.check.Verdict;
import io.asynq.reliability.fault.Fault;
import io.asynq.reliability.fault.Scale;
import io.asynq.reliability.fault.Scenario;
import io.asynq.reliability.fault.Stage;
import io.asynq.reliability.fault.Timing;
import io.asynq.reliability.load.Load;
import io.asynq.reliability.load.Producer;
import io.asynq.reliability.process.Fleet;
import io.asynq.reliability.process.Launcher;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.LedgerReader;
import io.asynq.test.ledger.LedgerWriter;
import io.asynq.test.redis.RedisSetup;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.FileSystemUtils;

/** One fault from an empty Redis to the verdict. */
final class FaultRun {

	private static final Duration LOOK = Duration.ofMillis(100);

	/** How long a backlog may take, besides recovery. */
	private static final Duration WORKING_OFF = Duration.ofSeconds(90);

	/** Entries of killed servers expire after 10 s, those of schedulers after 20 s. */
	private static final Duration SERVER_ENTRIES = Duration.ofSeconds(25);

	/**
	 * A staged set of a killed server returns after two minutes, and is found within one.
	 */
	private static final Duration STAGED = Duration.ofMinutes(3);

	private final Fault fault;

	private final Settings settings;

	private final Timing timing;

	private final Path folder;

	private final CountDownLatch givenUp = new CountDownLatch(1);

	FaultRun(Fault fault, Settings settings) {
		this.fault = fault;
		this.settings = settings;
		this.timing = fault.timing(settings.scale());
		this.folder = settings.folder().resolve(fault.name());
	}

	Outcome run() throws InterruptedException {
		long start = System.nanoTime();
		clean();
		Path ledger = this.folder.resolve("ledger");
		try (RedisSetup redis = this.fault.openRedis();
				LedgerWriter faults = LedgerWriter.open(ledger, "faults", this.settings.clock());
				LedgerWriter answers = LedgerWriter.open(ledger, "producer", this.settings.clock());
				Fleet fleet = new Fleet(launcher(redis, ledger));
				StandstillWatch watch = StandstillWatch.start(this.settings.clock())) {
			Scenario scenario = this.fault.scenario(this.settings.scale());
			for (WorkerKind kind : scenario.workers()) {
				fleet.start(kind);
			}
			fleet.awaitReady();
			Random random = new Random(this.settings.seed() * 31 + this.fault.name().hashCode());
			RedisConnectionFactory connections = this.settings.driver().connect(redis.producerConnections());
			Producer producer = new Producer(connections, answers,
					new Load(new Random(random.nextLong()), scenario.longTasks()), scenario.tasks(), scenario.feeding(),
					this.fault.producersPersist());
			Stage stage = new Stage(this.settings.scale(), this.settings.clock(), this.timing, random, redis, fleet,
					producer, ledger, this.fault.name(), faults, this.givenUp);
			List<Finding> atWork = harm(redis, producer, stage);
			this.settings.driver().disconnect(connections);
			fleet.terminateAll();
			Verdict verdict = judge(redis, ledger, atWork, watch.noticed());
			return new Outcome(this.fault.name(), stage.ledger().windows().size(), verdict, seconds(start))
				.longestScript(SlowScripts.longestMillis(redis));
		}
	}

	private List<Finding> harm(RedisSetup redis, Producer producer, Stage stage) throws InterruptedException {
		RedisView view = new RedisView(redis.connections());
		Thread feeder = new Thread(producer, "producer-" + this.fault.name());
		feeder.setDaemon(true);
		try (Glances glances = Glances.start(new Checker(view, inspectors(redis)))) {
			feeder.start();
			this.fault.inject(stage);
			feeder.join();
			awaitWorkedOff(redis, view, stage);
			return this.fault.showsWholeQueues() ? glances.findings() : List.of();
		}
		finally {
			this.givenUp.countDown();
			feeder.interrupt();
		}
	}

	private void awaitWorkedOff(RedisSetup redis, RedisView view, Stage stage) throws InterruptedException {
		long latest = System.nanoTime() + this.timing.recovery().plus(STAGED).plus(WORKING_OFF).toNanos();
		StaleSets staged = new StaleSets(redis.connections(), this.settings.clock());
		while (System.nanoTime() < latest && !isWorkedOff(view)) {
			if (this.settings.scale() == Scale.QUICK && staged.expire(Load.QUEUES.keySet())) {
				stage.fleet().start(WorkerKind.JAVA);
			}
			this.givenUp.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	private static boolean isWorkedOff(RedisView view) {
		try {
			return Load.QUEUES.keySet().stream().allMatch(view::isWorkedOff);
		}
		catch (RuntimeException ex) {
			// Redis may still be starting
			return false;
		}
	}

	private Verdict judge(RedisSetup redis, Path ledgerFolder, List<Finding> atWork, List<Standstill> standstills)
			throws InterruptedException {
		RedisView view = new RedisView(redis.connections());
		long latest = System.nanoTime() + SERVER_ENTRIES.toNanos();
		while (System.nanoTime() < latest && !view.servers().isEmpty()) {
			this.givenUp.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
		}
		Ledger ledger = LedgerReader.read(ledgerFolder);
		Instant now = this.settings.clock().instant();
		Verdict verdict = new Checker(view, inspectors(redis)).judge(ledger, new Rules(this.timing.recovery(),
				this.fault.redisMayLose(), this.fault.resumesWithin(this.settings.scale()), now, standstills));
		return verdict.with(atWork).with(unproved(ledger));
	}

	private List<Finding> unproved(Ledger ledger) {
		return this.fault.unproved(ledger)
			.stream()
			.map((missing) -> new Finding("fault-took-effect", this.fault.name(), missing))
			.toList();
	}

	private Inspectors inspectors(RedisSetup redis) {
		return new Inspectors(redis.connections(), this.settings.goProgram(), redis.goAddress());
	}

	private Launcher launcher(RedisSetup redis, Path ledger) {
		Map<String, String> properties = Load.workerProperties();
		properties.putAll(Map.of("spring.main.keep-alive", "true", "spring.main.banner-mode", "off",
				"logging.level.root", "WARN", "logging.level.io.asynq", "INFO"));
		properties.putAll(redis.springProperties());
		properties.putAll(this.settings.driver().springProperties());
		properties.putAll(this.timing.properties());
		properties.putAll(this.fault.scenario(this.settings.scale()).properties());
		return new Launcher(properties, this.settings.goProgram(), redis.goAddress(), ledger,
				this.folder.resolve("logs"));
	}

	private void clean() {
		try {
			FileSystemUtils.deleteRecursively(this.folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static long seconds(long start) {
		return Duration.ofNanos(System.nanoTime() - start).toSeconds();
	}

}
