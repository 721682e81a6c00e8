package io.asynq.cli;

import io.asynq.cli.care.CompletionCommand;
import io.asynq.cli.care.DoctorCommand;
import io.asynq.cli.care.TailCommand;
import io.asynq.cli.care.VersionCommand;
import io.asynq.cli.command.AsynqCommand;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.dash.DashCommand;
import io.asynq.cli.fleet.CronCommand;
import io.asynq.cli.fleet.CronHistoryCommand;
import io.asynq.cli.fleet.CronListCommand;
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
import io.asynq.cli.task.TaskArchiveAllCommand;
import io.asynq.cli.task.TaskArchiveCommand;
import io.asynq.cli.task.TaskCancelCommand;
import io.asynq.cli.task.TaskCommand;
import io.asynq.cli.task.TaskDeleteAllCommand;
import io.asynq.cli.task.TaskDeleteCommand;
import io.asynq.cli.task.TaskEnqueueCommand;
import io.asynq.cli.task.TaskInspectCommand;
import io.asynq.cli.task.TaskListCommand;
import io.asynq.cli.task.TaskRunAllCommand;
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

	static CommandLine of(Surroundings surroundings) {
		AsynqCommand asynq = new AsynqCommand();
		Invocation invocation = new Invocation(asynq, surroundings);
		CommandLine root = new CommandLine(asynq);
		root.getCommandSpec().version("asynq version " + VersionCommand.version());
		root.addSubcommand(new StatsCommand(invocation));
		add(root, new QueueCommand(), new QueueListCommand(invocation), new QueueInspectCommand(invocation),
				new QueueHistoryCommand(invocation), new QueuePauseCommand(invocation),
				new QueueResumeCommand(invocation), new QueueRemoveCommand(invocation));
		add(root, new TaskCommand(), new TaskListCommand(invocation), new TaskInspectCommand(invocation),
				new TaskEnqueueCommand(invocation), new TaskUpdatePayloadCommand(invocation),
				new TaskCancelCommand(invocation), new TaskRunCommand(invocation), new TaskArchiveCommand(invocation),
				new TaskDeleteCommand(invocation), new TaskRunAllCommand(invocation),
				new TaskArchiveAllCommand(invocation), new TaskDeleteAllCommand(invocation));
		add(root, new GroupCommand(), new GroupListCommand(invocation));
		add(root, new ServerCommand(), new ServerListCommand(invocation));
		add(root, new CronCommand(), new CronListCommand(invocation), new CronHistoryCommand(invocation));
		root.addSubcommand(new DashCommand(invocation));
		root.addSubcommand(new DoctorCommand(invocation));
		root.addSubcommand(new TailCommand(invocation));
		root.addSubcommand(new VersionCommand(invocation));
		root.addSubcommand(new CompletionCommand(invocation));
		Mistakes mistakes = new Mistakes();
		return root.setOut(surroundings.out())
			.setErr(surroundings.err())
			.setExpandAtFiles(false)
			.setAllowOptionsAsOptionParameters(true)
			.setParameterExceptionHandler(mistakes)
			.setExecutionExceptionHandler(mistakes);
	}

	/** Adds from the root on, so that all get the global options. */
	private static void add(CommandLine root, Object group, Object... commands) {
		CommandLine parent = new CommandLine(group);
		root.addSubcommand(parent);
		for (Object command : commands) {
			parent.addSubcommand(command);
		}
	}

}
