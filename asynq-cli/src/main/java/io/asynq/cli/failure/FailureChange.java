package io.asynq.cli.failure;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.cli.bulk.ByIds;
import io.asynq.cli.command.Candidates;
import io.asynq.cli.command.GoErrors;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.failure.Failures.Group;
import io.asynq.cli.output.Cell;
import io.asynq.cli.terminal.UsageException;
import io.asynq.internal.text.GoText;
import io.asynq.operations.ActionReport;
import io.asynq.operations.TaskAction;
import io.asynq.operations.survey.FailureGroups;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Does something with all tasks of some groups: exactly with those that were counted
 * before the question.
 */
final class FailureChange {

	@Parameters(arity = "1..*", paramLabel = "<key>",
			description = "Keys of groups, as 'failures ls' shows them; their beginnings are enough.")
	private List<String> keys = List.of();

	@Option(names = { "-q", "--queue" }, paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
			description = "Only tasks of this queue.")
	private @Nullable String queue;

	@Option(names = "--dry-run", description = "Only say what would be done.")
	private boolean dryRun;

	@Option(names = { "-y", "--yes" }, description = "Do not ask if the tasks are in several queues.")
	private boolean yes;

	/**
	 * Acts.
	 * @param verb what the question begins with: "Archive"
	 * @param words what was done, behind the number: "archived"
	 * @return 0, or 1 if some tasks were left
	 */
	int act(Invocation invocation, TaskAction action, String verb, String words) {
		try (Session session = invocation.open()) {
			Failures failures = new Failures(invocation, session, this.queue,
					FailureGroups.STATES.stream().filter(action.states()::contains).toList());
			Map<String, List<String>> ids = new TreeMap<>();
			chosen(failures.groups()).forEach((group) -> failures.tasks(group)
				.forEach((name, some) -> ids.computeIfAbsent(name, (key) -> new ArrayList<>()).addAll(some)));
			// A task that comes back during the look is found twice
			ids.replaceAll((name, some) -> some.stream().distinct().toList());
			if (this.dryRun) {
				List<Result> planned = new ArrayList<>();
				ids.forEach((name, some) -> planned.add(new Result(name, some.size(), List.of())));
				invocation.output()
					.printAll(planned,
							(out) -> planned.forEach((each) -> out.println(each.line(" would be " + words))));
				return 0;
			}
			if (ids.size() > 1) {
				invocation.question(this.yes)
					.ask(verb + " " + ids.values().stream().mapToInt(List::size).sum() + " tasks of " + ids.size()
							+ " queues (" + String.join(", ", ids.keySet().stream().map(Cell::text).toList()) + ")");
			}
			return report(invocation, ByIds.act(invocation.surroundings(), session.tasks(), action, ids), words);
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			throw Invocation.failed("error: " + GoErrors.ofTask(ex));
		}
	}

	private Set<Group> chosen(List<Group> groups) {
		Set<Group> chosen = new LinkedHashSet<>();
		for (String key : this.keys) {
			List<Group> found = groups.stream().filter((group) -> group.key().startsWith(key)).toList();
			if (found.isEmpty()) {
				throw Invocation.failed("error: no group of such failures has a key that begins with "
						+ GoText.quote(key) + ": see asynq failures ls");
			}
			if (found.size() > 1) {
				throw new UsageException("The key " + GoText.quote(key) + " may mean "
						+ String.join(" or ", found.stream().map(Group::key).toList()) + ": write more of it");
			}
			chosen.addAll(found);
		}
		return chosen;
	}

	private static int report(Invocation invocation, Map<String, ActionReport> reports, String words) {
		List<Result> results = new ArrayList<>();
		reports.forEach((name, report) -> results.add(new Result(name, report.done(), report.failed())));
		invocation.output()
			.printAll(results, (out) -> results.forEach((result) -> out.println(result.line(" " + words))));
		results.forEach((result) -> ByIds.tellFailed(invocation, result.failed(),
				"error: queue " + GoText.quote(result.queue()) + ": "));
		return results.stream().allMatch((result) -> result.failed().isEmpty()) ? 0 : 1;
	}

	/**
	 * What was done in a queue.
	 *
	 * @param queue the queue
	 * @param done with how many tasks it was done
	 * @param failed those that refused
	 */
	record Result(String queue, long done, List<ActionReport.Failure> failed) {

		String line(String words) {
			return Cell.text(this.queue) + ": " + this.done + ((this.done == 1) ? " task" : " tasks") + words
					+ (this.failed.isEmpty() ? "" : ", " + this.failed.size() + " refused");
		}

	}

}
