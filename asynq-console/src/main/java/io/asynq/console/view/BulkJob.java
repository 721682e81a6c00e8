package io.asynq.console.view;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.QueueNotFoundException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.operations.ActionReport;
import io.asynq.operations.TaskAction;
import io.asynq.operations.TaskOperations;
import io.asynq.operations.survey.TaskRange;
import io.asynq.operations.survey.TaskSurvey;
import org.jspecify.annotations.Nullable;

/**
 * One action on all tasks that are meant. It looks at about as many tasks as there are
 * when it begins, so that it ends even if others add some. Can be stopped between two
 * steps of at most {@value TaskSurvey#SLICE} tasks.
 */
final class BulkJob implements Runnable {

	private static final int MOST_REFUSALS = 100;

	/** How often a step is tried again while Redis is away, a second apart. */
	private static final int PATIENCE = 30;

	private final Order order;

	private final TaskSurvey tasks;

	private final TaskOperations operations;

	private final Clock clock;

	private final Consumer<Progress> listener;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private final List<Refusal> refusals = new ArrayList<>();

	private String state = "running";

	private long done;

	private long refused;

	private long scanned;

	private @Nullable Instant endedAt;

	private @Nullable String error;

	BulkJob(Order order, TaskSurvey tasks, TaskOperations operations, Clock clock, Consumer<Progress> listener) {
		this.order = order;
		this.tasks = tasks;
		this.operations = operations;
		this.clock = clock;
		this.listener = listener;
	}

	void stop() {
		this.stopped.countDown();
	}

	String id() {
		return this.order.id();
	}

	Order order() {
		return this.order;
	}

	@Override
	public void run() {
		try {
			for (int i = 0; i < this.order.scope().ranges().size() && !isStopped(); i++) {
				work(this.order.scope().ranges().get(i), this.order.sizes().get(i));
			}
			end(isStopped() ? "stopped" : "done", null);
		}
		catch (RuntimeException ex) {
			end("failed", (ex instanceof AsynqException) ? ex.getMessage() : "See the log: " + ex);
		}
	}

	synchronized Progress progress() {
		BulkScope scope = this.order.scope();
		return new Progress(this.order.id(), this.order.action().name().toLowerCase(Locale.ROOT).replace('_', '-'),
				this.state, this.done, this.refused, this.scanned, this.order.total(), this.order.startedAt(),
				this.endedAt, this.order.by(), List.copyOf(this.refusals), scope.queue(), scope.states(), scope.group(),
				scope.filter().isAll() ? null : scope.filter().toString(), failures(scope), this.order.reason(),
				this.error);
	}

	private static List<Failed> failures(BulkScope scope) {
		return scope.failures().stream().map((key) -> new Failed(key.type(), key.signature())).toList();
	}

	private void work(TaskRange range, long size) {
		Set<String> seen = new HashSet<>();
		long offset = 0;
		long left = size;
		while (left > 0 && !isStopped()) {
			Step step = step(range, offset, (int) Math.min(TaskSurvey.SLICE, left), seen);
			if (step == null || step.looked() == 0) {
				return;
			}
			left -= step.looked();
			// Those behind the ones that have left have moved up
			offset += step.looked() - step.gone();
			this.listener.accept(progress());
		}
	}

	private @Nullable Step step(TaskRange range, long offset, int limit, Set<String> seen) {
		for (int attempt = 1;; attempt++) {
			try {
				return tryStep(range, offset, limit, seen);
			}
			catch (QueueNotFoundException ex) {
				// Somebody has deleted it: nothing is left to do there
				return null;
			}
			catch (BrokerUnavailableException ex) {
				if (attempt >= PATIENCE || isStoppedWithin(1)) {
					throw ex;
				}
			}
		}
	}

	private Step tryStep(TaskRange range, long offset, int limit, Set<String> seen) {
		TaskSurvey.Slice slice = this.tasks.slice(range.queue(), range.state(), range.group(), offset, limit);
		Instant now = this.clock.instant();
		List<String> ids = slice.tasks()
			.stream()
			.filter((task) -> this.order.scope().includes(task, now))
			.map(TaskInfo::id)
			.filter((id) -> range.state() != TaskState.ACTIVE || seen.add(id))
			.toList();
		ActionReport report = ids.isEmpty() ? new ActionReport(0, List.of(), 0)
				: this.operations.act(this.order.action(), range.queue(), ids);
		synchronized (this) {
			this.scanned += slice.looked();
			this.done += report.done();
			this.refused += report.failed().size();
			report.failed()
				.stream()
				.limit(Math.max(0, MOST_REFUSALS - this.refusals.size()))
				.forEach((one) -> this.refusals.add(new Refusal(range.queue(), one.id(), one.error())));
		}
		return new Step(slice.looked(), (range.state() == TaskState.ACTIVE) ? 0 : report.done());
	}

	private void end(String how, @Nullable String why) {
		synchronized (this) {
			this.state = how;
			this.error = why;
			this.endedAt = this.clock.instant();
		}
		this.listener.accept(progress());
	}

	private boolean isStopped() {
		return this.stopped.getCount() == 0;
	}

	private boolean isStoppedWithin(long seconds) {
		try {
			return this.stopped.await(seconds, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return true;
		}
	}

	record Order(String id, TaskAction action, BulkScope scope, List<Long> sizes, Instant startedAt, String by,
			@Nullable String reason) {

		long total() {
			return this.sizes.stream().mapToLong(Long::longValue).sum();
		}

	}

	record Progress(String id, String action, String state, long done, long refused, long scanned, long total,
			Instant startedAt, @Nullable Instant endedAt, String by, List<Refusal> refusals, @Nullable String q,
			List<TaskState> states, @Nullable String group, @Nullable String filter, List<Failed> failures,
			@Nullable String reason, @Nullable String error) {

		boolean isRunning() {
			return this.state.equals("running");
		}

	}

	record Refusal(String queue, String id, String error) {
	}

	record Failed(String type, String error) {
	}

	private record Step(int looked, long gone) {
	}

}
