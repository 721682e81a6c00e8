package io.asynq.cli;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.asynq.cli.bulk.TaskArchiveAllCommand;
import io.asynq.cli.bulk.TaskDeleteAllCommand;
import io.asynq.cli.bulk.TaskRunAllCommand;
import io.asynq.cli.care.CompletionCommand;
import io.asynq.cli.care.DoctorCommand;
import io.asynq.cli.care.TailCommand;
import io.asynq.cli.care.VersionCommand;
import io.asynq.cli.command.AsynqCommand;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.dash.DashCommand;
import io.asynq.cli.failure.FailureArchiveCommand;
import io.asynq.cli.failure.FailureListCommand;
import io.asynq.cli.failure.FailureRetryCommand;
import io.asynq.cli.failure.FailuresCommand;
import io.asynq.cli.fleet.CronCommand;
import io.asynq.cli.fleet.CronHistoryCommand;
import io.asynq.cli.fleet.CronListCommand;
import io.asynq.cli.fleet.LimitCommand;
import io.asynq.cli.fleet.LimitInspectCommand;
import io.asynq.cli.fleet.LimitListCommand;
import io.asynq.cli.fleet.ServerCommand;
import io.asynq.cli.fleet.ServerListCommand;
import io.asynq.cli.fleet.StatsCommand;
import io.asynq.cli.queue.GroupCommand;
import io.asynq.cli.queue.GroupListCommand;
import io.asynq.cli.queue.QueueCommand;
import io.asynq.cli.queue.QueueHistoryCommand;
import io.asynq.cli.queue.QueueInspectCommand;
import io.asynq.cli.queue.QueueListCommand;
import io.asynq.cli.queue.QueuePauseCommand;
import io.asynq.cli.queue.QueueRemoveCommand;
import io.asynq.cli.queue.QueueResumeCommand;
import io.asynq.cli.task.TaskArchiveCommand;
import io.asynq.cli.task.TaskCancelCommand;
import io.asynq.cli.task.TaskCommand;
import io.asynq.cli.task.TaskDeleteCommand;
import io.asynq.cli.task.TaskEnqueueCommand;
import io.asynq.cli.task.TaskInspectCommand;
import io.asynq.cli.task.TaskListCommand;
import io.asynq.cli.task.TaskRunCommand;
import io.asynq.cli.task.TaskUpdatePayloadCommand;
import io.asynq.cli.terminal.Surroundings;
import picocli.CommandLine;

/**
 * All commands. They are listed here and not in annotations because they need what is
 * around the program.
 */
final class CommandTree {

	private CommandTree() {
	}

	/** Returns all commands. */
	static CommandLine of(Surroundings surroundings) {
		return of(surroundings, (group) -> true);
	}

	/**
	 * Returns the commands that a command line may mean: reading those of a group that it
	 * does not name would take a third of the time that short commands need.
	 */
	static CommandLine of(Surroundings surroundings, String... args) {
		Set<String> words = new HashSet<>(Arrays.asList(args));
		boolean all = words.contains("completion") || words.contains("generate-completion");
		return of(surroundings, (group) -> all || words.contains(group));
	}

	private static CommandLine of(Surroundings surroundings, Predicate<String> wanted) {
		AsynqCommand asynq = new AsynqCommand();
		Invocation invocation = new Invocation(asynq, surroundings);
		CommandLine root = new CommandLine(asynq);
		root.getCommandSpec().version("asynq version " + VersionCommand.version());
		root.addSubcommand(new StatsCommand(invocation));
		add(root, wanted, new QueueCommand(), () -> queue(invocation));
		add(root, wanted, new TaskCommand(), () -> task(invocation));
		add(root, wanted, new GroupCommand(), () -> List.of(new GroupListCommand(invocation)));
		add(root, wanted, new ServerCommand(), () -> List.of(new ServerListCommand(invocation)));
		add(root, wanted, new LimitCommand(),
				() -> List.of(new LimitListCommand(invocation), new LimitInspectCommand(invocation)));
		add(root, wanted, new CronCommand(),
				() -> List.of(new CronListCommand(invocation), new CronHistoryCommand(invocation)));
		add(root, wanted, new FailuresCommand(), () -> List.of(new FailureListCommand(invocation),
				new FailureRetryCommand(invocation), new FailureArchiveCommand(invocation)));
		List.of(new DashCommand(invocation), new DoctorCommand(invocation), new TailCommand(invocation),
				new VersionCommand(invocation), new CompletionCommand(invocation))
			.forEach(root::addSubcommand);
		HelpSections.set(root);
		Mistakes mistakes = new Mistakes();
		return root.setOut(surroundings.out())
			.setErr(surroundings.err())
			.setExpandAtFiles(false)
			.setAllowOptionsAsOptionParameters(true)
			.setParameterExceptionHandler(mistakes)
			.setExecutionExceptionHandler(mistakes);
	}

	private static List<Object> queue(Invocation invocation) {
		return List.of(new QueueListCommand(invocation), new QueueInspectCommand(invocation),
				new QueueHistoryCommand(invocation), new QueuePauseCommand(invocation),
				new QueueResumeCommand(invocation), new QueueRemoveCommand(invocation));
	}

	private static List<Object> task(Invocation invocation) {
		return List.of(new TaskListCommand(invocation), new TaskInspectCommand(invocation),
				new TaskEnqueueCommand(invocation), new TaskUpdatePayloadCommand(invocation),
				new TaskCancelCommand(invocation), new TaskRunCommand(invocation), new TaskArchiveCommand(invocation),
				new TaskDeleteCommand(invocation), new TaskRunAllCommand(invocation),
				new TaskArchiveAllCommand(invocation), new TaskDeleteAllCommand(invocation));
	}

	/** Adds from the root on, so that all get the global options. */
	private static void add(CommandLine root, Predicate<String> wanted, Object group, Supplier<List<Object>> commands) {
		CommandLine parent = new CommandLine(group);
		root.addSubcommand(parent);
		if (wanted.test(parent.getCommandName())) {
			commands.get().forEach(parent::addSubcommand);
		}
	}

}
