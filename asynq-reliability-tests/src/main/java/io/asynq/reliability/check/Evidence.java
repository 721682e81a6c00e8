package io.asynq.reliability.check;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.asynq.reliability.ledger.Enqueued;
import io.asynq.reliability.ledger.FaultWindow;
import io.asynq.reliability.ledger.Ledger;
import io.asynq.reliability.ledger.Run;
import io.asynq.reliability.ledger.RunOutcome;
import io.asynq.reliability.ledger.TaskKey;
import org.jspecify.annotations.Nullable;

/**
 * All that is judged.
 *
 * @param ledger what producers, handlers and faults saw
 * @param queues what Redis holds, by queue
 * @param digests which tasks stand for which others
 * @param servers keys that tell of servers, schedulers and periodic tasks
 * @param rules what is allowed
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
	 * Returns whether a task has succeeded, or one that stands for it.
	 * @param task the task
	 * @return whether any of their runs did
	 */
	boolean succeeded(TaskKey task) {
		return ranWell(task) || this.digests.of(task).stream().anyMatch(this::ranWell);
	}

	/**
	 * Returns whether Redis holds a task, or one that stands for it.
	 * @param task the task
	 * @return whether it is there
	 */
	boolean isThere(TaskKey task) {
		return stored(task) != null || this.digests.of(task).stream().anyMatch((digest) -> stored(digest) != null);
	}

	private boolean ranWell(TaskKey task) {
		return this.ledger.runsOf(task).stream().anyMatch((run) -> run.ended(RunOutcome.OK));
	}

	/**
	 * Returns whether Redis was allowed to forget that a task was enqueued.
	 * @param task an acknowledged task
	 * @return whether it was acknowledged so shortly before, or during, a fault
	 */
	boolean mayBeLostByRedis(Enqueued task) {
		return !this.rules.redisMayLose().isZero() && this.ledger.windows()
			.stream()
			.anyMatch((window) -> !task.time().isBefore(window.start().minus(this.rules.redisMayLose()))
					&& !task.time().isAfter(window.end()));
	}

	/**
	 * Tells what is known of a task, for a finding.
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
	 * Returns the windows in which something was done to a worker.
	 * @param worker its name
	 * @return the windows
	 */
	Stream<FaultWindow> windowsOf(String worker) {
		return this.ledger.windows().stream().filter((window) -> window.touches(worker));
	}

}
