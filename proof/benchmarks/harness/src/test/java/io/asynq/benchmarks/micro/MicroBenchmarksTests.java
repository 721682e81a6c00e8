package io.asynq.benchmarks.micro;

import java.util.Collection;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs every benchmark once in this JVM; the figures mean nothing. */
class MicroBenchmarksTests {

	private static final String IGNORE_LOCK = "jmh.ignoreLock";

	@BeforeAll
	static void letOthersMeasureMeanwhile() {
		System.setProperty(IGNORE_LOCK, "true");
	}

	@AfterAll
	static void lockAgain() {
		System.clearProperty(IGNORE_LOCK);
	}

	@Test
	void everyBenchmarkRuns() throws RunnerException {
		Options once = new OptionsBuilder().include("io\\.asynq\\.")
			.mode(Mode.SingleShotTime)
			.forks(0)
			.warmupIterations(0)
			.measurementIterations(1)
			.shouldFailOnError(true)
			.verbosity(VerboseMode.SILENT)
			.build();
		Collection<RunResult> results = new Runner(once).run();
		assertThat(results).extracting(MicroBenchmarksTests::name)
			.containsExactlyInAnyOrder("CodecBenchmark.decode 150", "CodecBenchmark.decode 4096",
					"CodecBenchmark.encode 150", "CodecBenchmark.encode 4096", "MuxBenchmark.exactPattern",
					"MuxBenchmark.longestPrefix", "MuxBenchmark.moreTypesThanItRemembers", "MuxBenchmark.unknownType",
					"OutcomeBenchmark.oneWorker", "OutcomeBenchmark.tenWorkers", "QueueSelectionBenchmark.share 3",
					"QueueSelectionBenchmark.share 30", "QueueSelectionBenchmark.share 200");
	}

	private static String name(RunResult result) {
		StringBuilder name = new StringBuilder(result.getParams().getBenchmark());
		result.getParams().getParamsKeys().forEach((key) -> name.append(' ').append(result.getParams().getParam(key)));
		return name.toString().replaceFirst(".*\\.([A-Z])", "$1");
	}

}
