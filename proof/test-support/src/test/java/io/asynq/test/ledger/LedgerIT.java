package io.asynq.test.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class LedgerIT {

	private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.123456Z");

	private static final TaskKey TASK = new TaskKey("low", "t1");

	@TempDir
	private Path folder;

	@Test
	void readsEntriesOfSeveralProcesses() {
		FaultWindow window = new FaultWindow("sigkill", "java-1", Explains.ANY, TIME, TIME.plusSeconds(1), "of java-1");
		try (LedgerWriter producer = writer("producer"); LedgerWriter worker = writer("java-1")) {
			producer.enqueued(Enqueued.Answer.ACKNOWLEDGED, TASK, 3, "two\nlines");
			producer.window(window);
			worker.ended(TASK, 1, worker.started(TASK, 1), RunOutcome.FAILED);
			worker.started(TASK, 2);
		}
		Ledger ledger = LedgerReader.read(this.folder);
		assertThat(ledger.enqueued()).containsEntry(TASK,
				new Enqueued(TIME, TASK, Enqueued.Answer.ACKNOWLEDGED, 3, "two lines"));
		assertThat(ledger.runsOf(TASK)).containsExactlyInAnyOrder(
				new Run(TASK, 1, "java-1", TIME, TIME, RunOutcome.FAILED),
				new Run(TASK, 2, "java-1", TIME, null, null));
		assertThat(ledger.windows()).isEqualTo(List.of(window));
	}

	@Test
	void knowsTasksHeldByWorkerAndWhetherTheyStarted() {
		TaskKey begun = new TaskKey("low", "t2");
		TaskKey done = new TaskKey("low", "t3");
		try (LedgerWriter worker = writer("java-1")) {
			worker.taken(TASK);
			worker.taken(begun);
			worker.started(begun, 0);
			worker.taken(done);
			worker.ended(done, 0, worker.started(done, 0), RunOutcome.OK);
		}
		Ledger ledger = LedgerReader.read(this.folder);
		assertThat(ledger.neverBegun(TASK)).containsExactly(new Taken(TASK, "java-1", TIME));
		assertThat(ledger.neverBegun(begun)).isEmpty();
		assertThat(ledger.heldBy("java-1", TIME)).containsExactlyInAnyOrder(TASK, begun);
		assertThat(ledger.heldBy("java-1", TIME.minusMillis(1))).isEmpty();
		assertThat(ledger.heldBy("java-2", TIME)).isEmpty();
	}

	@Test
	void ignoresIncompleteLine() throws IOException {
		try (LedgerWriter worker = writer("java-1")) {
			worker.started(TASK, 0);
		}
		Files.writeString(this.folder.resolve("java-1.ledger"), "S\t17", StandardOpenOption.APPEND);
		assertThat(LedgerReader.read(this.folder).runsOf(TASK)).hasSize(1);
	}

	@Test
	void lastAnswerForTaskCounts() {
		try (LedgerWriter producer = writer("producer")) {
			producer.enqueued(Enqueued.Answer.UNKNOWN, TASK, 3, "timeout");
			producer.enqueued(Enqueued.Answer.ACKNOWLEDGED, TASK, 3, "");
		}
		assertThat(LedgerReader.read(this.folder).acknowledged()).containsExactly(TASK);
	}

	@Test
	void readsOutcomesOfGroups() {
		TaskKey digest = new TaskKey("low", "d1");
		try (LedgerWriter worker = writer("java-1")) {
			worker.aggregated(digest, List.of("t1", "t2"));
			worker.given(digest, List.of("t1", "t2"));
		}
		Ledger ledger = LedgerReader.read(this.folder);
		assertThat(ledger.aggregations().made())
			.isEqualTo(Map.of(digest, new Aggregation(digest, "java-1", TIME, List.of("t1", "t2"))));
		assertThat(ledger.aggregations().given()).isEqualTo(Map.of(digest, List.of("t1", "t2")));
	}

	@Test
	void readsOutcomesOfPeriodicTasksAndTreatsKillAsEndOfScheduler() {
		try (LedgerWriter faults = writer("faults");
				LedgerWriter killed = writer("java-1");
				LedgerWriter alive = writer("java-2")) {
			killed.scheduling(Duration.ofSeconds(2));
			alive.scheduling(Duration.ZERO);
			alive.fired(TASK, "beat", 1_700_000_000);
			faults.window(new FaultWindow("sigkill", "java-1", Explains.NOTHING, TIME.plusSeconds(1),
					TIME.plusSeconds(2), "of java-1"));
		}
		Fires fires = LedgerReader.read(this.folder).fires();
		assertThat(fires.fired()).containsExactly(new Fired(TASK, "beat", Instant.ofEpochSecond(1_700_000_000)));
		assertThat(fires.schedulers()).containsExactly(
				new SchedulerLife("java-1", Duration.ofSeconds(2), TIME, TIME.plusSeconds(1)),
				new SchedulerLife("java-2", Duration.ZERO, TIME, Instant.MAX));
	}

	private LedgerWriter writer(String process) {
		return LedgerWriter.open(this.folder, process, Clock.fixed(TIME, ZoneOffset.UTC));
	}

}
