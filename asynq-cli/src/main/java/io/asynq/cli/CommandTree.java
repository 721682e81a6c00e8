package io.asynq.cli;

import io.asynq.cli.command.AsynqCommand;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.dash.DashCommand;
import io.asynq.cli.queue.QueueCommand;
import io.asynq.cli.queue.QueueListCommand;
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
		CommandLine queue = new CommandLine(new QueueCommand());
		root.addSubcommand(queue);
		queue.addSubcommand(new QueueListCommand(invocation));
		root.addSubcommand(new DashCommand(invocation));
		return root.setOut(surroundings.out()).setErr(surroundings.err()).setExpandAtFiles(false);
	}

}
