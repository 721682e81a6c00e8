package io.asynq.console.view;

import java.time.Clock;
import java.time.Instant;
import java.util.List;

import io.asynq.QueueNotFoundException;
import io.asynq.TaskState;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleRoutes;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.console.task.Payloads;
import io.asynq.console.task.TaskLine;
import io.asynq.console.task.Viewer;
import io.asynq.info.QueueInfo;
import io.asynq.operate.survey.FailureGroup;
import io.asynq.operate.survey.FailureGroups;
import io.asynq.operate.survey.QueueBoard;
import org.jspecify.annotations.Nullable;

/**
 * What has failed in all queues or in one, by why.
 */
final class FailuresScreen implements ConsoleScreen {

	private final QueueBoard board;

	private final FailureGroups failures;

	private final Payloads payloads;

	private final Clock clock;

	FailuresScreen(QueueBoard board, FailureGroups failures, Payloads payloads, Clock clock) {
		this.board = board;
		this.failures = failures;
		this.payloads = payloads;
		this.clock = clock;
	}

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("failures", this::failures);
	}

	private Failures failures(ConsoleCall call) {
		Viewer viewer = Viewer.of(call);
		String only = call.has("queue") ? call.text("queue") : call.text("q");
		List<QueueInfo> queues = this.board.read()
			.queues()
			.stream()
			.filter((queue) -> viewer.sees(queue.queue()) && (only == null || queue.queue().equals(only)))
			.toList();
		if (only != null && queues.isEmpty()) {
			throw new QueueNotFoundException(only);
		}
		List<QueueInfo> failed = queues.stream()
			.filter((queue) -> queue.size(TaskState.RETRY) + queue.size(TaskState.ARCHIVED) > 0)
			.toList();
		FailureGroups.Found<TaskLine> found = this.failures.find(failed, call.text("cursor"),
				(task) -> this.payloads.line(task, viewer));
		return new Failures(this.clock.instant(), found.groups(), found.groupCount(), found.scanned(), found.total(),
				found.next() == null, found.next());
	}

	/**
	 * Groups of failures.
	 *
	 * @param asOf when they were read
	 * @param groups the largest first, five hundred at most
	 * @param groupCount how many there are
	 * @param scanned at how many failures was looked since the beginning
	 * @param total how many there are
	 * @param complete whether all were looked at
	 * @param next where to go on, {@code null} at the end
	 */
	record Failures(Instant asOf, List<FailureGroup<TaskLine>> groups, int groupCount, long scanned, long total,
			boolean complete, @Nullable String next) {
	}

}
