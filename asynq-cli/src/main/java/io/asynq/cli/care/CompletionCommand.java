package io.asynq.cli.care;

import java.io.PrintWriter;

import io.asynq.cli.command.Invocation;
import io.asynq.cli.terminal.UsageException;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Prints a script that completes commands in a shell.
 */
@Command(name = "completion", aliases = "generate-completion",
		description = "Print a script for completion by the shell: source <(asynq completion)", footer = "  asynq completion bash")
public final class CompletionCommand implements Runnable {

	private final Invocation invocation;

	@Parameters(arity = "0..1", paramLabel = "<shell>", defaultValue = "bash",
			description = "bash or zsh; it is one script for both.")
	private String shell = "";

	@Spec
	private CommandSpec spec = CommandSpec.create();

	public CompletionCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public void run() {
		if (!this.shell.equals("bash") && !this.shell.equals("zsh")) {
			throw new UsageException("Completion is there for bash and zsh, but not for " + this.shell);
		}
		PrintWriter out = this.invocation.surroundings().out();
		out.print(AutoComplete.bash("asynq", this.spec.root().commandLine()));
		out.println();
	}

}
