package io.asynq.reliability;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.asynq.reliability.baddata.BadData;
import io.asynq.reliability.check.Finding;
import io.asynq.reliability.check.Verdict;
import io.asynq.reliability.fault.Scale;
import io.asynq.reliability.fault.Timing;
import io.asynq.reliability.nodes.HungMaster;
import io.asynq.reliability.nodes.IdleCluster;
import io.asynq.reliability.outbox.OutboxProof;
import io.asynq.test.database.DatabaseServer;
import io.asynq.test.redis.StandaloneRedis;
import org.springframework.util.FileSystemUtils;

/**
 * Runs without a ledger: each corruption knows its fate, the outbox's database knows what
 * has committed, and of a cluster it is asked only how soon tasks start.
 */
final class Experiments {

	static final String BAD_DATA = "bad-data";

	static final String OUTBOX = "outbox";

	private Experiments() {
	}

	static Map<String, Experiment> all() {
		Map<String, Experiment> all = new LinkedHashMap<>();
		all.put("hung-master", Experiments::hungMaster);
		all.put("cluster-idle", Experiments::idleCluster);
		all.put(OUTBOX, Experiments::outbox);
		all.put(BAD_DATA, Experiments::badData);
		return all;
	}

	private static Outcome hungMaster(String name, Settings settings) {
		long start = System.nanoTime();
		HungMaster.Result result = HungMaster.run(Timing.of(settings.scale()).properties(),
				Duration.ofSeconds(isQuick(settings) ? 20 : 60));
		return outcome(name, 1, result.tasks(), result.pickUp(), "healthy queues", result.findings(), start);
	}

	private static Outcome idleCluster(String name, Settings settings) {
		long start = System.nanoTime();
		IdleCluster.Result result = IdleCluster.run(settings.driver(), isQuick(settings) ? 2 : 5);
		return outcome(name, result.faults(), result.tasks(), result.longest(), "next task", result.findings(), start);
	}

	private static Outcome badData(String name, Settings settings) {
		long start = System.nanoTime();
		try (StandaloneRedis redis = StandaloneRedis.start()) {
			BadData.Result result = BadData.run(redis, settings.seed(), isQuick(settings) ? 1000 : 10_000);
			return outcome(name, result.corruptions(), result.healthy(), result.longestWait(), "corruption",
					result.findings(), start);
		}
	}

	private static Outcome outcome(String name, int injected, int tasks, Duration longest, String subject,
			List<String> findings, long start) {
		return new Outcome(name, injected,
				new Verdict(tasks, tasks, 0, 0, Map.of(), longest,
						findings.stream().map((finding) -> new Finding(name, subject, finding)).toList()),
				seconds(start));
	}

	private static Outcome outbox(String name, Settings settings) throws InterruptedException {
		long start = System.nanoTime();
		Path folder = settings.folder().resolve(name);
		try {
			FileSystemUtils.deleteRecursively(folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		OutboxProof.Result one = outboxOn("PostgreSQL", DatabaseServer::postgresql, folder, settings);
		OutboxProof.Result other = outboxOn("MariaDB", DatabaseServer::mariaDb, folder, settings);
		return new Outcome(name, one.injected() + other.injected(),
				new Verdict(one.tasks() + other.tasks(), one.runs() + other.runs(), 0, 0, Map.of(), Duration.ZERO,
						Stream.concat(one.findings().stream(), other.findings().stream()).toList()),
				seconds(start));
	}

	private static OutboxProof.Result outboxOn(String database, Supplier<DatabaseServer> start, Path folder,
			Settings settings) throws InterruptedException {
		try (DatabaseServer server = start.get();
				StandaloneRedis redis = StandaloneRedis.start("appendonly yes", "appendfsync always");
				OutboxProof proof = new OutboxProof(redis, server.url(),
						Timing.ofOutages(settings.scale()).properties(), isQuick(settings) ? 2000 : 20_000,
						folder.resolve(database + ".log"))) {
			OutboxProof.Result result = proof.run(isQuick(settings) ? 3 : 10);
			System.out.printf("%s on %s: %d tasks, %d runs; kills have left behind %d rows that were sent%n", OUTBOX,
					database, result.tasks(), result.runs(), result.sentBefore());
			return result.on(database);
		}
	}

	private static boolean isQuick(Settings settings) {
		return settings.scale() == Scale.QUICK;
	}

	private static long seconds(long start) {
		return Duration.ofNanos(System.nanoTime() - start).toSeconds();
	}

	/** A run on a Redis of its own. */
	interface Experiment {

		Outcome run(String name, Settings settings) throws InterruptedException;

	}

}
