package io.asynq.reliability.check;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.asynq.test.ledger.Enqueued;
import io.asynq.test.ledger.FaultWindow;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.Run;
import io.asynq.test.ledger.RunOutcome;
import io.asynq.test.ledger.TaskKey;
import org.jspecify.annotations.Nullable;

/** All evidence of a run. */
record Evidence(Ledger ledger, Map<String, QueueView> queues, Digests digests, Set<String> servers, Rules rules) {

	@Nullable StoredTask stored(TaskKey task) {
		QueueView queue = this.queues.get(task.queue());
		return (queue != null) ? queue.tasks().get(task.id()) : null;
	}

	boolean succeeded(TaskKey task) {
		return ranWell(task) || this.digests.of(task).stream().anyMatch(this::ranWell);
	}

	boolean isThere(TaskKey task) {
		return stored(task) != null || this.digests.of(task).stream().anyMatch((digest) -> stored(digest) != null);
	}

	private boolean ranWell(TaskKey task) {
		return this.ledger.runsOf(task).stream().anyMatch((run) -> run.ended(RunOutcome.OK));
	}

	boolean mayBeLostByRedis(Enqueued task) {
		return !this.rules.redisMayLose().isZero() && this.ledger.windows()
			.stream()
			.anyMatch((window) -> !task.time().isBefore(window.start().minus(this.rules.redisMayLose()))
					&& !task.time().isAfter(window.end()));
	}

	String tell(TaskKey task) {
		Enqueued enqueued = this.ledger.enqueued().get(task);
		List<Run> runs = this.ledger.runsOf(task);
		return "ledger: "
				+ ((enqueued != null) ? enqueued.answer() + " at " + enqueued.time() + " (" + enqueued.detail() + ")"
						: "never enqueued")
				+ ", runs " + runs + "; part of " + this.digests.of(task) + "; Redis: " + stored(task);
	}

	Finding finding(Invariant invariant, TaskKey task, String what) {
		return new Finding(invariant.name(), task.toString(), what + "; " + tell(task));
	}

	Stream<FaultWindow> windowsOf(String worker) {
		return this.ledger.windows().stream().filter((window) -> window.touches(worker));
	}

}
