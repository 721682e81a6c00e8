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

/**
 * All evidence of a run.
 *
 * @param ledger the records of producers, handlers and faults
 * @param queues the content of Redis by queue
 * @param digests which tasks replace which others
 * @param servers keys of servers, schedulers and periodic tasks
 * @param rules what is permitted
 */
record Evidence(Ledger ledger, Map<String, QueueView> queues, Digests digests, Set<String> servers, Rules rules) {

	/**
	 * Returns what Redis holds of a task.
	 * @param task the task
	 * @return its hash, {@code null} if there is none
	 */
	@Nullable StoredTask stored(TaskKey task) {
		QueueView queue = this.queues.get(task.queue());
		return (queue != null) ? queue.tasks().get(task.id()) : null;
	}

	/**
	 * Returns whether a task has succeeded, or one that replaces it.
	 * @param task the task
	 */
	boolean succeeded(TaskKey task) {
		return ranWell(task) || this.digests.of(task).stream().anyMatch(this::ranWell);
	}

	/**
	 * Returns whether Redis holds a task, or one that replaces it.
	 * @param task the task
	 */
	boolean isThere(TaskKey task) {
		return stored(task) != null || this.digests.of(task).stream().anyMatch((digest) -> stored(digest) != null);
	}

	private boolean ranWell(TaskKey task) {
		return this.ledger.runsOf(task).stream().anyMatch((run) -> run.ended(RunOutcome.OK));
	}

	/**
	 * Returns whether Redis was permitted to forget that a task was enqueued.
	 * @param task an acknowledged task
	 * @return whether it was acknowledged during a fault or shortly before
	 */
	boolean mayBeLostByRedis(Enqueued task) {
		return !this.rules.redisMayLose().isZero() && this.ledger.windows()
			.stream()
			.anyMatch((window) -> !task.time().isBefore(window.start().minus(this.rules.redisMayLose()))
					&& !task.time().isAfter(window.end()));
	}

	/**
	 * Describes a task for a finding.
	 * @param task the task
	 * @return a line
	 */
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

	/**
	 * Returns the windows that harmed a worker.
	 * @param worker its name
	 * @return the windows
	 */
	Stream<FaultWindow> windowsOf(String worker) {
		return this.ledger.windows().stream().filter((window) -> window.touches(worker));
	}

}
