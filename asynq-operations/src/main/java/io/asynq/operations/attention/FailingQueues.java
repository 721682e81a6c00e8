package io.asynq.operations.attention;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.QueueInfo;
import io.asynq.operations.survey.QueueBoard;
import io.asynq.operations.survey.TaskSurvey;
import org.jspecify.annotations.Nullable;

/**
 * Goes by what the counters say at each reading, and where too little is known of that,
 * by today's counters and the tasks that have failed last.
 */
final class FailingQueues {

	static final Duration RECENT = Duration.ofMinutes(10);

	private static final Duration WINDOW = Duration.ofMinutes(5);

	/** More points would say no more. */
	private static final Duration STEP = Duration.ofSeconds(30);

	private static final Duration GROWING = Duration.ofMinutes(2);

	/** Of fewer executions a ratio says little. */
	private static final long LEAST = 20;

	private static final long LEAST_GROWTH = 100;

	/** So many tasks are seen to have failed lately before today's counters count. */
	private static final int LEAST_SEEN = 5;

	private static final int SLICE = 32;

	/** Of so many queues tasks are looked at, those with the most failures today. */
	private static final int QUEUES = 20;

	private static final Duration AGE = Duration.ofSeconds(30);

	private final TaskSurvey tasks;

	private final Deque<Point> points = new ArrayDeque<>();

	private final Map<String, Instant> since = new HashMap<>();

	private final Map<String, Evidence> evidence = new HashMap<>();

	FailingQueues(TaskSurvey tasks) {
		this.tasks = tasks;
	}

	synchronized Rates read(QueueBoard.Board board) {
		Point last = this.points.peekLast();
		if (last != null && board.at().isBefore(last.at())) {
			this.points.clear();
		}
		while (!this.points.isEmpty() && this.points.getFirst().at().isBefore(board.at().minus(WINDOW))) {
			this.points.removeFirst();
		}
		Point present = Point.of(board);
		Rates rates = new Rates(failing(board), growing(present));
		last = this.points.peekLast();
		if (last == null || !last.at().plus(STEP).isAfter(board.at())) {
			this.points.addLast(present);
		}
		return rates;
	}

	private List<Failing> failing(QueueBoard.Board board) {
		Instant now = board.at();
		this.evidence.values().removeIf((seen) -> !seen.at().plus(AGE).isAfter(now));
		Point before = this.points.peekFirst();
		List<Failing> failing = new ArrayList<>();
		List<QueueInfo> unsure = new ArrayList<>();
		for (QueueInfo queue : board.queues()) {
			Numbers first = (before != null) ? before.queues().get(queue.queue()) : null;
			long processed = (first != null) ? queue.processedTotal() - first.processed() : 0;
			long failed = (first != null) ? queue.failedTotal() - first.failed() : 0;
			if (processed >= LEAST) {
				if (isMost(failed, processed)) {
					failing.add(new Failing(queue.queue(), null, processed, failed, before.at(), null));
				}
			}
			else if (isMost(queue.failed(), queue.processed())
					&& queue.size(TaskState.RETRY) + queue.size(TaskState.ARCHIVED) > 0) {
				unsure.add(queue);
			}
		}
		unsure.stream()
			.sorted(Comparator.comparingLong(QueueInfo::failed).reversed())
			.limit(QUEUES)
			.forEach((queue) -> {
				Evidence seen = this.evidence.computeIfAbsent(queue.queue(), (name) -> look(queue, now));
				Instant lastFailure = seen.last();
				if (lastFailure != null && seen.recent() >= LEAST_SEEN) {
					failing.add(new Failing(queue.queue(), seen.type(), queue.processed(), queue.failed(), seen.first(),
							lastFailure));
				}
			});
		this.since.keySet().retainAll(failing.stream().map(Failing::queue).collect(Collectors.toSet()));
		return failing.stream()
			.map((one) -> one.since(this.since.computeIfAbsent(one.queue(), (queue) -> one.since())))
			.toList();
	}

	private List<Growing> growing(Point present) {
		Point first = this.points.peekFirst();
		if (first == null || first.at().plus(GROWING).isAfter(present.at())) {
			return List.of();
		}
		List<Point> all = new ArrayList<>(this.points);
		all.add(present);
		List<Growing> growing = new ArrayList<>();
		first.queues().forEach((queue, begin) -> {
			long pending = begin.pending();
			for (Point point : all) {
				Numbers next = point.queues().get(queue);
				pending = (next != null && pending >= 0 && next.pending() >= pending) ? next.pending() : -1;
			}
			if (pending - begin.pending() >= Math.max(LEAST_GROWTH, begin.pending() / 5)) {
				growing.add(new Growing(queue, begin.pending(), pending, first.at()));
			}
		});
		return growing;
	}

	private static boolean isMost(long failed, long processed) {
		return failed >= LEAST / 2 && processed >= LEAST && 2 * failed >= processed;
	}

	/** The time at which a task failed is known to it alone. */
	private Evidence look(QueueInfo queue, Instant now) {
		List<TaskInfo> found = new ArrayList<>();
		for (TaskState state : List.of(TaskState.RETRY, TaskState.ARCHIVED)) {
			long size = queue.size(state);
			for (long offset : (size > SLICE) ? new long[] { 0, Math.max(SLICE, size - SLICE) } : new long[] { 0 }) {
				if (size > 0) {
					found.addAll(this.tasks.slice(queue.queue(), state, null, offset, SLICE).tasks());
				}
			}
		}
		Instant today = now.truncatedTo(ChronoUnit.DAYS);
		List<TaskInfo> failed = found.stream()
			.filter((task) -> task.lastFailedAt() != null && !task.lastFailedAt().isBefore(today))
			.sorted(Comparator.comparing(TaskInfo::lastFailedAt))
			.toList();
		long recent = failed.stream().filter((task) -> task.lastFailedAt().isAfter(now.minus(RECENT))).count();
		String type = failed.isEmpty() ? null : failed.get(0).type();
		return new Evidence(now, recent, failed.stream().allMatch((task) -> task.type().equals(type)) ? type : null,
				failed.isEmpty() ? null : failed.get(0).lastFailedAt(),
				failed.isEmpty() ? null : failed.get(failed.size() - 1).lastFailedAt());
	}

	/**
	 * @param type their type, if all have the same
	 */
	private record Evidence(Instant at, long recent, @Nullable String type, @Nullable Instant first,
			@Nullable Instant last) {
	}

	private record Point(Instant at, Map<String, Numbers> queues) {

		static Point of(QueueBoard.Board board) {
			Map<String, Numbers> queues = new HashMap<>();
			board.queues()
				.forEach((queue) -> queues.put(queue.queue(),
						new Numbers(queue.processedTotal(), queue.failedTotal(), queue.size(TaskState.PENDING))));
			return new Point(board.at(), queues);
		}

	}

	private record Numbers(long processed, long failed, long pending) {
	}

	record Rates(List<Failing> failing, List<Growing> growing) {
	}

	/**
	 * @param last {@code null} if the counters are of the last minutes instead of today
	 */
	record Failing(String queue, @Nullable String type, long processed, long failed, @Nullable Instant since,
			@Nullable Instant last) {

		Failing since(@Nullable Instant known) {
			return new Failing(this.queue, this.type, this.processed, this.failed, known, this.last);
		}

	}

	record Growing(String queue, long from, long to, Instant since) {
	}

}
