package io.asynq.cli.bulk;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.cli.command.Invocation;
import io.asynq.cli.output.Cell;
import io.asynq.cli.terminal.Progress;
import io.asynq.cli.terminal.Surroundings;
import io.asynq.operations.ActionReport;
import io.asynq.operations.TaskAction;
import io.asynq.operations.TaskOperations;

/**
 * Does something with tasks that are known, and says how far it is.
 */
public final class ByIds {

	/** How many ids one call takes. */
	private static final int PART = 500;

	private static final int TOLD = 10;

	private ByIds() {
	}

	/**
	 * Acts.
	 * @param ids ids of tasks by queue
	 * @return what was done by queue
	 */
	public static Map<String, ActionReport> act(Surroundings surroundings, TaskOperations tasks, TaskAction action,
			Map<String, List<String>> ids) {
		Map<String, ActionReport> reports = new LinkedHashMap<>();
		long[] acted = new long[1];
		long total = ids.values().stream().mapToLong(List::size).sum();
		try (Progress progress = Progress.start(surroundings, total, () -> acted[0])) {
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

	/** Tells the first tasks that refused. */
	public static void tellFailed(Invocation invocation, List<ActionReport.Failure> failed, String begin) {
		failed.stream().limit(TOLD).forEach((failure) -> invocation.tell(begin + Cell.text(failure.error())));
		if (failed.size() > TOLD) {
			invocation.tell(begin + (failed.size() - TOLD) + " more (all: -o json)");
		}
	}

}
