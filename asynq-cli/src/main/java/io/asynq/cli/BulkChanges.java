package io.asynq.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.RunOptions;
import io.asynq.internal.text.GoText;
import io.asynq.operations.ActionReport;
import io.asynq.operations.TaskAction;
import io.asynq.operations.TaskOperations;
import io.asynq.operations.survey.FoundTasks;
import io.asynq.operations.survey.TaskFilter;
import io.asynq.operations.survey.TaskFilterException;
import io.asynq.operations.survey.TaskRange;
import io.asynq.operations.survey.TaskSearch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Does something with many tasks, after a question. */
final class BulkChanges extends Invocation {

	private static final int PART = 500;

	private static final int TOLD = 10;

	BulkChanges(Invocation invocation) {
		super(invocation);
	}

	/** Acts on all tasks of a state that pass the filter; returns 1 if some were left. */
	int act(Flags flags, TaskAction action, String verb, String done, TaskState... among) {
		TaskState state = requireState(flags.state, flags.group, List.of(among));
		TaskFilter filter = flags.filters.filter();
		TaskRange range = new TaskRange(flags.queue, state, flags.group);
		String what = " " + state.wireName() + " tasks of queue " + GoText.quote(flags.queue);
		try (Session session = open()) {
			Result result = orFail("error: ", () -> {
				if (filter.isAll()) {
					return all(session, range, action, (count) -> ask(flags.yes, verb + " all " + count + what));
				}
				// What is to be done is known before it begins, so that the question has
				// a number
				List<String> ids = find(session, range, filter);
				if (!ids.isEmpty()) {
					ask(flags.yes, verb + " " + ids.size() + what);
				}
				ActionReport report = byIds(session, action, Map.of(flags.queue, ids)).get(flags.queue);
				return new Result(flags.queue, state.wireName(), report.done(), report.failed());
			});
			print(result, result.done() + " " + done);
			tellFailed(result.failed(), "error: ");
			return result.failed().isEmpty() ? 0 : 1;
		}
	}

	private Result all(Session session, TaskRange range, TaskAction action, LongConsumer ask) {
		long count = session.search().count(range);
		if (count > 0) {
			ask.accept(count);
		}
		try (Progress progress = Progress.start(this.surroundings, count,
				() -> count - session.search().count(range))) {
			AsynqInspector inspector = session.inspector();
			String queue = range.queue();
			TaskState state = range.state();
			String group = (state == TaskState.AGGREGATING) ? String.valueOf(range.group()) : null;
			long done = switch (action) {
				case RUN,
						RUN_FRESH ->
					(group != null) ? inspector.runAllAggregatingTasks(queue, group)
							: (action == TaskAction.RUN) ? inspector.runAllTasks(queue, state)
									: inspector.runAllTasks(queue, state, RunOptions.freshRetries());
				case ARCHIVE -> (group != null) ? inspector.archiveAllAggregatingTasks(queue, group)
						: inspector.archiveAllTasks(queue, state);
				case DELETE -> (group != null) ? inspector.deleteAllAggregatingTasks(queue, group)
						: inspector.deleteAllTasks(queue, state);
				default -> throw new IllegalArgumentException(action.name());
			};
			return new Result(queue, state.wireName(), done, List.of());
		}
	}

	private List<String> find(Session session, TaskRange range, TaskFilter filter) {
		Set<String> ids = new LinkedHashSet<>();
		TaskSearch search = session.search();
		String cursor = null;
		long[] scanned = new long[1];
		try (Progress progress = Progress.start(this.surroundings, search.count(range), () -> scanned[0])) {
			do {
				FoundTasks<String> part = search.find(range, filter, cursor, TaskSearch.MOST, TaskInfo::id);
				ids.addAll(part.entries());
				scanned[0] = part.scanned();
				cursor = part.next();
			}
			while (cursor != null);
		}
		return List.copyOf(ids);
	}

	/** Acts on tasks that are known, by queue, and says how far it is. */
	Map<String, ActionReport> byIds(Session session, TaskAction action, Map<String, List<String>> ids) {
		Map<String, ActionReport> reports = new LinkedHashMap<>();
		TaskOperations tasks = session.tasks();
		long[] acted = new long[1];
		long total = ids.values().stream().mapToLong(List::size).sum();
		try (Progress progress = Progress.start(this.surroundings, total, () -> acted[0])) {
			ids.forEach((queue, some) -> {
				long done = 0;
				List<ActionReport.Failure> failed = new ArrayList<>();
				for (int from = 0; from < some.size(); from += PART) {
					List<String> part = some.subList(from, Math.min(from + PART, some.size()));
					ActionReport report = tasks.act(action, queue, part);
					done += report.done();
					failed.addAll(report.failed());
					acted[0] += part.size();
				}
				reports.put(queue, new ActionReport(done, failed, 0));
			});
		}
		return reports;
	}

	void tellFailed(List<ActionReport.Failure> failed, String begin) {
		failed.stream().limit(TOLD).forEach((failure) -> tell(begin + Cell.text(failure.error())));
		if (failed.size() > TOLD) {
			tell(begin + (failed.size() - TOLD) + " more (all: -o json)");
		}
	}

	static TaskState requireState(String name, @Nullable String group, List<TaskState> among) {
		TaskState state = among.stream()
			.filter((candidate) -> candidate.wireName().equals(name))
			.findFirst()
			.orElseThrow(() -> new UsageException("state=\"" + name + "\" is not supported\nSupported are "
					+ String.join(", ", among.stream().map(TaskState::wireName).toList())));
		if (state == TaskState.AGGREGATING && (group == null || group.isEmpty())) {
			throw new UsageException("Flag --group is required for aggregating tasks");
		}
		return state;
	}

	static final class Flags {

		@Option(names = { "-q", "--queue" }, required = true, paramLabel = "<queue>",
				completionCandidates = Candidates.Queues.class, description = "Queue to which the tasks belong.")
		private String queue = "";

		@Option(names = { "-s", "--state" }, required = true, paramLabel = "<state>",
				completionCandidates = Candidates.States.class, description = "State of the tasks.")
		private String state = "";

		@Option(names = { "-g", "--group" }, paramLabel = "<group>",
				description = "Group to which the tasks belong; required for aggregating tasks.")
		private @Nullable String group;

		@Option(names = { "-y", "--yes" }, description = "Do not ask.")
		private boolean yes;

		@Mixin
		private final FilterFlags filters = new FilterFlags();

	}

	static final class FilterFlags {

		@Option(names = "--filter", paramLabel = "<filter>",
				description = "Only tasks that pass, such as 'type:mail:* error:\"connection reset\" older:30m'.")
		private @Nullable String filter;

		@Option(names = "--type", paramLabel = "<type>",
				description = "Only tasks of this type; with a star at its end, of types that begin so.")
		private @Nullable String type;

		@Option(names = "--error", paramLabel = "<part>", description = "Only tasks whose last error contains this.")
		private @Nullable String error;

		@Option(names = "--contains", paramLabel = "<part>", description = "Only tasks whose payload contains this.")
		private @Nullable String payload;

		@Option(names = "--older", paramLabel = "<duration>",
				description = "Only tasks whose last failure, else completion, else due time is at least this long ago.")
		private @Nullable String older;

		@Option(names = "--newer", paramLabel = "<duration>", description = "… is at most this long ago.")
		private @Nullable String newer;

		TaskFilter filter() {
			List<String> words = new ArrayList<>();
			if (this.filter != null) {
				words.add(this.filter);
			}
			add(words, "type", this.type);
			add(words, "error", this.error);
			add(words, "payload", this.payload);
			add(words, "older", this.older);
			add(words, "newer", this.newer);
			try {
				return TaskFilter.parse(String.join(" ", words));
			}
			catch (TaskFilterException ex) {
				throw new UsageException(String.valueOf(ex.getMessage()));
			}
		}

		private static void add(List<String> words, String key, @Nullable String value) {
			if (value != null) {
				words.add(key + ":\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
			}
		}

	}

	private record Result(String queue, String state, long done, List<ActionReport.Failure> failed) {
	}

}
