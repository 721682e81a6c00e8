package io.asynq.interop.oracle;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.asynq.test.SameDay;
import io.asynq.test.TestRedis;

/**
 * The runs against the versions of Go, one for each chapter of the script, side by side
 * because they mostly wait. Each has two Redis servers to itself.
 */
final class OracleRuns implements AutoCloseable {

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final Map<GoVersion, List<CompletableFuture<OracleRun>>> runs = new EnumMap<>(GoVersion.class);

	OracleRuns(List<List<Step>> chapters, List<String> mended) {
		for (GoVersion version : GoVersion.tested()) {
			Path executable = version.executable();
			Mended rules = new Mended(mended);
			this.runs.put(version,
					chapters.stream()
						.map((chapter) -> CompletableFuture.supplyAsync(() -> run(version, executable, chapter, rules),
								this.executor))
						.toList());
		}
	}

	/**
	 * Waits for the runs of all chapters to finish.
	 */
	List<OracleRun> of(GoVersion version) {
		return this.runs.get(version).stream().map(CompletableFuture::join).toList();
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

	private OracleRun run(GoVersion version, Path executable, List<Step> chapter, Mended mended) {
		SameDay.begin();
		TestRedis goRedis = TestRedis.startOwn();
		TestRedis javaRedis = TestRedis.startOwn();
		try (Database goDatabase = new Database(goRedis);
				Database javaDatabase = new Database(javaRedis);
				Actor go = new GoActor(executable, goRedis);
				Actor java = new JavaActor(javaRedis)) {
			OracleRun run = new OracleRun(version, new Side(go, goDatabase), new Side(java, javaDatabase), mended);
			run.perform(chapter, this.executor);
			return run;
		}
		finally {
			goRedis.stop();
			javaRedis.stop();
		}
	}

}
