package io.asynq.reliability;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.asynq.reliability.check.Verdict;
import io.asynq.reliability.fault.Scale;
import io.asynq.reliability.fault.Timing;
import io.asynq.reliability.outbox.OutboxProof;
import io.asynq.reliability.outbox.OutboxResult;
import io.asynq.test.database.DatabaseServer;
import io.asynq.test.redis.StandaloneRedis;

import org.springframework.util.FileSystemUtils;

/**
 * An application with an outbox is killed, on PostgreSQL and then on MariaDB. The
 * database knows which tasks must be in the queues, so there is no ledger.
 */
final class OutboxRun {

	static final String NAME = "outbox";

	private OutboxRun() {
	}

	static Outcome run(Settings settings) throws InterruptedException {
		long start = System.nanoTime();
		deleteLogs(settings);
		OutboxResult one = on("PostgreSQL", DatabaseServer::postgresql, settings);
		OutboxResult other = on("MariaDB", DatabaseServer::mariaDb, settings);
		return new Outcome(NAME, one.injected() + other.injected(),
				new Verdict(one.tasks() + other.tasks(), one.runs() + other.runs(), 0, 0, Map.of(), Duration.ZERO,
						Stream.concat(one.findings().stream(), other.findings().stream()).toList()),
				Duration.ofNanos(System.nanoTime() - start).toSeconds());
	}

	private static OutboxResult on(String name, Supplier<DatabaseServer> server, Settings settings)
			throws InterruptedException {
		boolean quick = settings.scale() == Scale.QUICK;
		try (DatabaseServer database = server.get();
				StandaloneRedis redis = StandaloneRedis.start("appendonly yes", "appendfsync always");
				OutboxProof proof = new OutboxProof(redis, database.url(),
						Timing.ofOutages(settings.scale()).properties(), quick ? 2000 : 20_000,
						folder(settings).resolve(name + ".log"))) {
			OutboxResult result = proof.run(quick ? 3 : 10);
			System.out.printf("%s on %s: %d tasks, %d runs; kills have left behind %d rows that were sent%n", NAME,
					name, result.tasks(), result.runs(), result.sentBefore());
			return result.on(name);
		}
	}

	private static void deleteLogs(Settings settings) {
		try {
			FileSystemUtils.deleteRecursively(folder(settings));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Path folder(Settings settings) {
		return settings.folder().resolve(NAME);
	}

}
