package io.asynq.server;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

import io.asynq.BrokerUnavailableException;
import io.asynq.broker.AttemptKeeper;
import io.asynq.broker.CrashRecord;
import io.asynq.broker.Lease;
import io.asynq.broker.LeasedTask;
import io.asynq.lifecycle.LoopErrorLog;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BeginningsTests {

	private final List<LeasedTask> noted = new ArrayList<>();

	private final Attempt innocent = attempt("innocent", CrashRecord.CLEAN);

	private final Attempt suspect = attempt("suspect", CrashRecord.CLEAN.suspected());

	private final Attempt lost = attempt("lost", CrashRecord.CLEAN.suspected());

	@Test
	void whatIsNoSuspectBeginsWithoutACallToRedis() {
		assertThat(new Beginnings(noting(this::note), new LoopErrorLog()).note("q", List.of(this.innocent)))
			.containsExactly(this.innocent);
		assertThat(this.noted).isEmpty();
	}

	@Test
	void aSuspectBeginsWhenThatIsWrittenDownAndInItsTurn() {
		List<Attempt> ready = new Beginnings(noting(this::note), new LoopErrorLog()).note("q",
				List.of(this.suspect, this.innocent, this.lost));
		assertThat(this.noted).containsExactly(this.suspect.leased(), this.lost.leased());
		assertThat(ready).containsExactly(this.suspect, this.innocent);
	}

	@Test
	void noSuspectBeginsWhileItCannotBeWrittenDown() {
		Beginnings beginnings = new Beginnings(noting((queue, tasks) -> {
			throw new BrokerUnavailableException("away", null);
		}), new LoopErrorLog());
		assertThat(beginnings.note("q", List.of(this.suspect, this.innocent))).containsExactly(this.innocent);
	}

	private static AttemptKeeper noting(BiFunction<String, Collection<LeasedTask>, Set<LeasedTask>> begin) {
		return new AttemptKeeper() {

			@Override
			public Set<LeasedTask> begin(String queue, Collection<LeasedTask> tasks) {
				return begin.apply(queue, tasks);
			}

			@Override
			public void note(String queue, Collection<LeasedTask> tasks) {
				throw new UnsupportedOperationException();
			}

		};
	}

	private Set<LeasedTask> note(String queue, Collection<LeasedTask> tasks) {
		this.noted.addAll(tasks);
		return Set.of(this.suspect.leased());
	}

	private static Attempt attempt(String id, CrashRecord record) {
		LeasedTask task = new LeasedTask(TestMessages.message(id).build(), new Lease("q", id, "f", System.nanoTime()),
				record);
		return new Attempt(task, AttemptTimes.of(task.message(), 0, Instant.EPOCH), (lease, result) -> true);
	}

}
