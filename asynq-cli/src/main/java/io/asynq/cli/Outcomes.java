package io.asynq.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.QueueInfo;
import io.asynq.operations.survey.QueueBoard.Board;
import io.asynq.operations.survey.TaskRange;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what has happened since the last look. One look costs one script for 128
 * queues, and for each queue whose counters have moved up to four short lists.
 */
final class Outcomes {

	private static final int LOOKED_AT = 100;

	private static final int REMEMBERED = 10_000;

	/**
	 * How old an outcome may be when it can first be seen: clocks differ, a server writes
	 * it after its end, and times in Redis are whole seconds.
	 */
	private static final Duration LATE = Duration.ofSeconds(10);

	private final Session session;

	private final List<String> wanted;

	private final Map<String, QueueInfo> before = new HashMap<>();

	/** Outcomes that were told, as a time does not tell what is new. */
	private final Map<String, Instant> told = new LinkedHashMap<>() {
		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
			return size() > REMEMBERED;
		}
	};

	private @Nullable Instant since;

	Outcomes(Session session, List<String> wanted) {
		this.session = session;
		this.wanted = wanted;
	}

	boolean isNew() {
		return this.since == null;
	}

	/** Returns what has happened since the last look, nothing at the first one. */
	List<Outcome> look() {
		Board board = this.wanted.isEmpty() ? this.session.board().read() : this.session.board().read(this.wanted);
		Instant from = this.since;
		this.since = board.at();
		List<Outcome> outcomes = new ArrayList<>();
		for (QueueInfo queue : board.queues()) {
			QueueInfo last = this.before.put(queue.queue(), queue);
			boolean moved = last == null || queue.processedTotal() != last.processedTotal();
			if (from == null) {
				tasks(queue, Instant.EPOCH).forEach(this::isNews);
			}
			else if (moved) {
				long processed = queue.processedTotal() - ((last != null) ? last.processedTotal() : 0);
				long failed = queue.failedTotal() - ((last != null) ? last.failedTotal() : 0);
				tasks(queue, from.minus(LATE)).stream().filter(this::isNews).forEach(outcomes::add);
				if (processed > 0) {
					outcomes.add(new Outcome(board.at(), queue.queue(), "counted", new Outcome.Count(processed, failed),
							null));
				}
			}
		}
		return outcomes;
	}

	private List<Outcome> tasks(QueueInfo queue, Instant from) {
		List<Outcome> found = new ArrayList<>();
		for (TaskState state : List.of(TaskState.RETRY, TaskState.ARCHIVED, TaskState.COMPLETED)) {
			long size = queue.size(state);
			try {
				// The newest are at the end, but those in retry are where they are due
				if (state == TaskState.RETRY && size > LOOKED_AT) {
					add(queue, state, 0, from, found);
				}
				if (size > 0) {
					add(queue, state, Math.max(0, size - LOOKED_AT), from, found);
				}
			}
			catch (BrokerUnavailableException ex) {
				throw ex;
			}
			catch (AsynqException ex) {
				// Deleted meanwhile
			}
		}
		found.sort(Comparator.comparing(Outcome::at));
		return found;
	}

	private void add(QueueInfo queue, TaskState state, long offset, Instant from, List<Outcome> found) {
		this.session.search().walk(new TaskRange(queue.queue(), state, null), offset, LOOKED_AT, (task) -> {
			Instant at = (state == TaskState.COMPLETED) ? task.completedAt() : task.lastFailedAt();
			if (at != null && !at.isBefore(from)) {
				found.add(new Outcome(at, task.queue(), task.state().wireName(), null, task));
			}
			return true;
		});
	}

	private boolean isNews(Outcome outcome) {
		TaskInfo task = outcome.task();
		return task != null && this.told
			.put(task.queue() + "\n" + task.state() + "\n" + task.id() + "\n" + task.retried(), outcome.at()) == null;
	}

	@JsonInclude(Include.NON_NULL)
	record Outcome(Instant at, String queue, String what, @Nullable Count count, @Nullable TaskInfo task) {

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

		record Count(long processed, long failed) {
		}

	}

}
