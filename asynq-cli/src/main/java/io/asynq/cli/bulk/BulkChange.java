package io.asynq.cli.bulk;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.cli.command.GoErrors;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.task.TaskStates;
import io.asynq.cli.terminal.Progress;
import io.asynq.internal.text.GoText;
import io.asynq.operations.ActionReport;
import io.asynq.operations.TaskAction;
import io.asynq.operations.survey.FoundTasks;
import io.asynq.operations.survey.TaskFilter;
import io.asynq.operations.survey.TaskRange;
import io.asynq.operations.survey.TaskSearch;

/**
 * Does something with all tasks of a state, or with those of them that pass a filter,
 * after a question.
 */
final class BulkChange {

	private final Invocation invocation;

	private final BulkFlags flags;

	private final TaskAction action;

	private final TaskState state;

	BulkChange(Invocation invocation, BulkFlags flags, TaskAction action, TaskState... among) {
		this.invocation = invocation;
		this.flags = flags;
		this.action = action;
		this.state = TaskStates.require(flags.state(), flags.group(), among);
	}

	/**
	 * Asks and acts.
	 * @param verb what the question begins with: "Delete"
	 * @param words what was done, behind the number: "tasks deleted"
	 * @return 0, or 1 if some tasks were left
	 */
	int act(String verb, String words) {
		TaskFilter filter = this.flags.filters().filter();
		try (Session session = this.invocation.open()) {
			BulkResult result = filter.isAll() ? all(session, verb) : some(session, verb, filter);
			this.invocation.output().print(result, (out) -> out.println(result.done() + " " + words));
			ByIds.tellFailed(this.invocation, result.failed(), "error: ");
			return result.failed().isEmpty() ? 0 : 1;
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			throw Invocation.failed("error: " + GoErrors.ofTask(ex));
		}
	}

	private BulkResult all(Session session, String verb) {
		TaskRange range = range();
		long count = session.search().count(range);
		if (count > 0) {
			ask(verb + " all " + count);
		}
		try (Progress progress = Progress.start(this.invocation.surroundings(), count,
				() -> count - session.search().count(range))) {
			return result(new AllTasks(session.inspector(), this.flags.queue(), this.flags.group()).act(this.action,
					this.state), List.of());
		}
	}

	/**
	 * What is to be done is known before it begins, so that the question has a number.
	 */
	private BulkResult some(Session session, String verb, TaskFilter filter) {
		List<String> ids = find(session, filter);
		if (!ids.isEmpty()) {
			ask(verb + " " + ids.size());
		}
		Map<String, ActionReport> reports = ByIds.act(this.invocation.surroundings(), session.tasks(), this.action,
				Map.of(this.flags.queue(), ids));
		ActionReport report = Objects.requireNonNull(reports.get(this.flags.queue()));
		return result(report.done(), report.failed());
	}

	private List<String> find(Session session, TaskFilter filter) {
		List<String> ids = new ArrayList<>();
		TaskSearch search = session.search();
		String cursor = null;
		long[] scanned = new long[1];
		try (Progress progress = Progress.start(this.invocation.surroundings(), search.count(range()),
				() -> scanned[0])) {
			do {
				FoundTasks<String> part = search.find(range(), filter, cursor, TaskSearch.MOST, TaskInfo::id);
				ids.addAll(part.entries());
				scanned[0] = part.scanned();
				cursor = part.next();
			}
			while (cursor != null);
		}
		return ids.stream().distinct().toList();
	}

	private void ask(String what) {
		this.invocation.question(this.flags.yes())
			.ask(what + " " + this.state.wireName() + " tasks of queue " + GoText.quote(this.flags.queue()));
	}

	private TaskRange range() {
		return new TaskRange(this.flags.queue(), this.state, this.flags.group());
	}

	private BulkResult result(long done, List<ActionReport.Failure> failed) {
		return new BulkResult(this.flags.queue(), this.state.wireName(), done, failed);
	}

}
