package io.asynq.benchmarks.peer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RunsTests {

	private static final int PATIENCE_MILLIS = 60_000;

	@Test
	void isCompleteWhenEveryTaskHasRun() throws Exception {
		Runs runs = runs(3, "serve");
		runs.run(2);
		runs.run(0);
		assertThat(runs.await(0)).startsWith("seen=2 doubled=0 failed=0 ");
		runs.run(1);
		assertThat(runs.await(PATIENCE_MILLIS)).startsWith("seen=3 doubled=0 failed=0 ");
	}

	@Test
	void repeatedTaskIsDuplicateAndReplacesNoOther() throws Exception {
		Runs runs = runs(3, "serve");
		runs.run(0);
		runs.run(1);
		runs.run(1);
		runs.run(1);
		assertThat(runs.await(0)).startsWith("seen=2 doubled=2 ");
	}

	@Test
	void countsRunsAfterCompletionAsDuplicates() throws Exception {
		Runs runs = runs(1, "serve");
		runs.run(0);
		assertThat(runs.await(PATIENCE_MILLIS)).startsWith("seen=1 doubled=0 ");
		runs.run(0);
		assertThat(runs.doubled()).isOne();
	}

	@Test
	void taskWithPlannedFailureCountsOnSecondAttempt() throws Exception {
		Runs runs = runs(1, "serve fail_first=true");
		assertThatIllegalStateException().isThrownBy(() -> runs.run(0));
		assertThat(runs.await(0)).startsWith("seen=0 doubled=0 failed=1 ");
		runs.run(0);
		assertThat(runs.await(PATIENCE_MILLIS)).startsWith("seen=1 doubled=0 failed=1 ");
		runs.run(0);
		assertThat(runs.doubled()).isOne();
	}

	@Test
	void countsAccuratelyAcrossThreads() throws Exception {
		Runs runs = runs(1000, "serve");
		ExecutorService threads = Executors.newFixedThreadPool(4);
		List<Future<?>> ends = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			ends.add(threads.submit(() -> {
				for (int number = 0; number < 1000; number++) {
					runs.run(number);
				}
			}));
		}
		for (Future<?> end : ends) {
			end.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
		}
		threads.shutdown();
		assertThat(runs.await(0)).startsWith("seen=1000 doubled=3000 ");
	}

	@Test
	void simulatedWorkTakesAtLeastItsDuration() throws Exception {
		Runs runs = runs(2, "serve work_micros=20000");
		runs.run(0);
		runs.run(1);
		String elapsed = runs.await(PATIENCE_MILLIS).replaceAll(".*elapsed_ns=(\\d+) .*", "$1");
		assertThat(Long.parseLong(elapsed)).isBetween(40_000_000L, 60_000_000_000L);
	}

	@Test
	void reportsLastStartOfEachTask() {
		Runs runs = runs(2, "serve");
		long before = micros();
		runs.run(1);
		long after = micros();
		String[] starts = runs.starts().split("[=,:]");
		assertThat(starts).startsWith("starts", "0", "0", "1").hasSize(5);
		assertThat(Long.parseLong(starts[4])).isBetween(before, after);
	}

	private static Runs runs(int tasks, String line) {
		return new Runs(tasks, Settings.parse(line.split(" ")));
	}

	private static long micros() {
		Instant now = Instant.now();
		return now.getEpochSecond() * 1_000_000L + now.getNano() / 1000;
	}

}
