package io.asynq.reliability;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import io.asynq.reliability.check.Verdict;
import io.asynq.reliability.fault.Scale;
import io.asynq.reliability.fault.Timing;
import io.asynq.reliability.outbox.OutboxProof;
import io.asynq.reliability.outbox.OutboxResult;
import io.asynq.test.database.DatabaseServer;
import io.asynq.test.redis.StandaloneRedis;

import org.springframework.util.FileSystemUtils;

/**
 * An application with an outbox on PostgreSQL is killed. The database knows which tasks
 * must be in the queues, so there is no ledger.
 */
final class OutboxRun {

	static final String NAME = "outbox";

	private OutboxRun() {
	}

	static Outcome run(Settings settings) throws InterruptedException {
		long start = System.nanoTime();
		boolean quick = settings.scale() == Scale.QUICK;
		try (DatabaseServer database = DatabaseServer.postgresql();
				StandaloneRedis redis = StandaloneRedis.start("appendonly yes", "appendfsync always");
				OutboxProof proof = new OutboxProof(redis, database.url(),
						Timing.ofOutages(settings.scale()).properties(), quick ? 2000 : 20_000, log(settings))) {
			OutboxResult result = proof.run(quick ? 3 : 10);
			System.out.println(NAME + ": kills have left behind " + result.sentBefore() + " rows that were sent");
			return new Outcome(NAME, result.injected(),
					new Verdict(result.tasks(), result.runs(), 0, 0, Map.of(), Duration.ZERO, result.findings()),
					Duration.ofNanos(System.nanoTime() - start).toSeconds());
		}
	}

	private static Path log(Settings settings) {
		Path folder = settings.folder().resolve(NAME);
		try {
			FileSystemUtils.deleteRecursively(folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return folder.resolve("shop.log");
	}

}
