package io.asynq.cli.care;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.cli.output.Cell;
import org.jspecify.annotations.Nullable;

/**
 * Something that has happened.
 *
 * @param at when, or when it was noticed
 * @param queue in which queue
 * @param what {@code retry}, {@code archived}, {@code completed} or {@code counted}
 * @param count how many attempts have ended and failed, {@code null} for one task
 * @param task the task, {@code null} for counts
 */
@JsonInclude(Include.NON_NULL)
record Outcome(Instant at, String queue, String what, @Nullable Count count, @Nullable TaskInfo task) {

	static Outcome counted(Instant at, String queue, long processed, long failed) {
		return new Outcome(at, queue, "counted", new Count(processed, failed), null);
	}

	static Outcome of(TaskInfo task, Instant at) {
		return new Outcome(at, task.queue(), task.state().wireName(), null, task);
	}

	String line() {
		String head = this.at.truncatedTo(ChronoUnit.SECONDS) + "  " + Cell.text(this.queue) + "  ";
		if (this.count != null) {
			return head + "+" + this.count.processed + " processed, " + this.count.failed + " failed";
		}
		TaskInfo shown = this.task;
		if (shown == null) {
			return head + this.what;
		}
		String name = head + this.what + "  " + Cell.text(shown.type()) + "  " + Cell.text(shown.id());
		return (shown.state() == TaskState.COMPLETED) ? name
				: name + "  " + shown.retried() + "/" + shown.maxRetry() + "  " + Cell.text(shown.lastError());
	}

	/**
	 * Attempts that have ended.
	 *
	 * @param processed all of them
	 * @param failed those that failed
	 */
	record Count(long processed, long failed) {
	}

}
