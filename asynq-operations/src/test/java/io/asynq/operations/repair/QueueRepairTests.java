package io.asynq.operations.repair;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.asynq.AsynqException;
import io.asynq.inspect.QueueStats;
import io.asynq.test.FakeBroker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is counted, shown and refused, whatever the walk through Redis finds.
 */
class QueueRepairTests {

	@Test
	void diagnosisCountsAllAndShowsTheFirst() {
		QueueRepair repair = new BrokenQueue(2500, 100);
		Diagnosis diagnosis = repair.diagnose("low");
		assertThat(diagnosis.counts()).isEqualTo(Map.of(Inconsistency.Kind.WRONG_STATE, 2500L));
		assertThat(diagnosis.inconsistencies()).hasSize(1000).first().extracting(Inconsistency::id).isEqualTo("t0");
		assertThat(diagnosis.next()).isNull();
		assertThat(diagnosis.isClean()).isFalse();
	}

	@Test
	void diagnosisAndRepairGoOnWhereTheLastPartHasEnded() {
		QueueRepair repair = new BrokenQueue(25, 0);
		Diagnosis first = repair.diagnose("low", null, 20);
		assertThat(first.inconsistencies()).hasSize(20);
		Diagnosis last = repair.diagnose("low", first.next(), 20);
		assertThat(last.inconsistencies()).extracting(Inconsistency::id)
			.containsExactly("t20", "t21", "t22", "t23", "t24");
		assertThat(last.next()).isNull();
		Set<Inconsistency.Kind> kinds = Set.of(Inconsistency.Kind.WRONG_STATE);
		RepairReport some = repair.repair("low", kinds, true, null, 20);
		assertThat(some.repaired()).isEqualTo(Map.of(Inconsistency.Kind.WRONG_STATE, 20L));
		assertThat(repair.repair("low", kinds, false, some.next(), 20).repaired())
			.isEqualTo(Map.of(Inconsistency.Kind.WRONG_STATE, 5L));
		assertThat(repair.diagnose("low").counts()).isEqualTo(Map.of(Inconsistency.Kind.WRONG_STATE, 20L));
	}

	@Test
	void consistentQueueIsClean() {
		assertThat(new BrokenQueue(0, 0).diagnose("low").isClean()).isTrue();
	}

	@Test
	void repairFixesNamedKindsAndReportsFailures() {
		BrokenQueue repair = new BrokenQueue(1500, 100);
		RepairReport report = repair.repair("low", Set.of(Inconsistency.Kind.WRONG_STATE), false);
		assertThat(report.repaired()).isEqualTo(Map.of(Inconsistency.Kind.WRONG_STATE, 1400L));
		assertThat(report.examples()).hasSize(1000);
		assertThat(report.left()).isEqualTo(100);
		assertThat(repair.repair("low", Set.of(Inconsistency.Kind.UNDECODABLE), false).repaired()).isEmpty();
	}

	@Test
	void dryRunChangesNothing() {
		BrokenQueue repair = new BrokenQueue(3, 0);
		RepairReport report = repair.repair("low", Set.of(Inconsistency.Kind.WRONG_STATE), true);
		assertThat(report.repaired()).isEqualTo(Map.of(Inconsistency.Kind.WRONG_STATE, 3L));
		assertThat(report.dryRun()).isTrue();
		assertThat(repair.left).hasSize(3);
	}

	@Test
	void rejectsEmptyRepairAndLimitsBelowOne() {
		QueueRepair repair = new BrokenQueue(0, 0);
		Set<Inconsistency.Kind> kinds = Set.of(Inconsistency.Kind.WRONG_STATE);
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> repair.repair("low", Set.of(), false))
			.withMessageContaining("'kinds'");
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> repair.repair("low", null, true))
			.withMessage("Argument 'kinds' must not be null");
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> repair.diagnose("low", null, 0))
			.withMessageContaining("'limit'");
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> repair.repair("low", kinds, true, null, 0))
			.withMessageContaining("'limit'");
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", " " })
	void rejectsBlankQueue(@Nullable String queue) {
		QueueRepair repair = new BrokenQueue(0, 0);
		Set<Inconsistency.Kind> kinds = Set.of(Inconsistency.Kind.WRONG_STATE);
		for (Runnable call : List.<Runnable>of(() -> repair.diagnose(queue), () -> repair.repair(queue, kinds, true),
				() -> repair.repair(queue, kinds, true, null, 1))) {
			assertThatExceptionOfType(AsynqException.class).isThrownBy(call::run)
				.withMessage("Argument 'queue' must not be blank, but is '%s'", queue);
		}
	}

	private static FakeBroker broker() {
		FakeBroker broker = new FakeBroker();
		broker.stats.put("low", new QueueStats(Map.of(), 0, Duration.ZERO, new QueueStats.Counters(0, 0),
				new QueueStats.Counters(0, 0), false));
		return broker;
	}

	/**
	 * A queue of tasks in a wrong state, the last of which cannot be repaired.
	 */
	private static final class BrokenQueue extends QueueRepair {

		private final Set<String> left = new LinkedHashSet<>();

		private final int mendable;

		BrokenQueue(int size, int hopeless) {
			super(broker());
			for (int i = 0; i < size; i++) {
				this.left.add("t" + i);
			}
			this.mendable = size - hopeless;
		}

		@Override
		@Nullable String check(String queue, @Nullable String cursor, int limit, Consumer<Inconsistency> found) {
			List<String> from = List.copyOf(this.left)
				.subList((cursor != null) ? Integer.parseInt(cursor) : 0, this.left.size());
			from.stream()
				.limit(limit)
				.forEach((id) -> found.accept(new Inconsistency(Inconsistency.Kind.WRONG_STATE, queue, id, "", "")));
			return (from.size() > limit) ? String.valueOf(limit) : null;
		}

		@Override
		boolean mend(Inconsistency inconsistency) {
			return Integer.parseInt(inconsistency.id().substring(1)) < this.mendable
					&& this.left.remove(inconsistency.id());
		}

		@Override
		public Map<String, Long> unhandled(String queue) {
			return Map.of();
		}

	}

}
