package io.asynq.interop.oracle;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.asynq.test.TestRedis;

/**
 * The runs against the versions of Go, side by side because they mostly wait. Each has
 * two Redis servers to itself.
 */
final class OracleRuns implements AutoCloseable {

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final Map<GoVersion, CompletableFuture<OracleRun>> runs = new EnumMap<>(GoVersion.class);

	OracleRuns(List<Step> script, List<String> mended) {
		for (GoVersion version : GoVersion.tested()) {
			Path executable = version.executable();
			this.runs.put(version, CompletableFuture
				.supplyAsync(() -> run(version, executable, script, new Mended(mended)), this.executor));
		}
	}

	/**
	 * Waits for a run to finish.
	 */
	OracleRun of(GoVersion version) {
		return this.runs.get(version).join();
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

	private OracleRun run(GoVersion version, Path executable, List<Step> script, Mended mended) {
		TestRedis goRedis = TestRedis.startOwn();
		TestRedis javaRedis = TestRedis.startOwn();
		try (Database goDatabase = new Database(goRedis);
				Database javaDatabase = new Database(javaRedis);
				Actor go = new GoActor(executable, goRedis);
				Actor java = new JavaActor(javaRedis)) {
			OracleRun run = new OracleRun(version, new Side(go, goDatabase), new Side(java, javaDatabase), mended);
			run.perform(script, this.executor);
			return run;
		}
		finally {
			goRedis.stop();
			javaRedis.stop();
		}
	}

}
