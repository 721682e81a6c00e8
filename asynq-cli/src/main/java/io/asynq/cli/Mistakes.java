package io.asynq.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

import io.asynq.AsynqException;
import io.asynq.cli.terminal.CommandFailedException;
import io.asynq.cli.terminal.UsageException;
import io.asynq.internal.text.GoText;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Tells what went wrong in one line, with Go's words where Go has any: 2 for a command
 * that was not understood, 1 for one that failed.
 */
final class Mistakes implements IParameterExceptionHandler, IExecutionExceptionHandler {

	static final int FAILED = 1;

	static final int NOT_UNDERSTOOD = 2;

	@Override
	public int handleParseException(ParameterException ex, String[] args) {
		CommandLine command = ex.getCommandLine();
		if (isGroup(ex, command)) {
			command.usage(command.getOut());
			command.getOut().flush();
			return 0;
		}
		tell(command.getErr(), message(ex, command));
		return NOT_UNDERSTOOD;
	}

	@Override
	public int handleExecutionException(Exception ex, CommandLine command, ParseResult parsed) {
		command.getOut().flush();
		if (ex instanceof UsageException) {
			tell(command.getErr(), String.valueOf(ex.getMessage()));
			return NOT_UNDERSTOOD;
		}
		if (ex instanceof AsynqException || ex instanceof CommandFailedException) {
			tell(command.getErr(), FlagWords.in(String.valueOf(ex.getMessage())));
			return FAILED;
		}
		tell(command.getErr(), "error: " + ex);
		if (!System.getenv().getOrDefault("ASYNQ_DEBUG", "").isEmpty()) {
			ex.printStackTrace(command.getErr());
		}
		return FAILED;
	}

	/** Go's program answers the name of a group with its help. */
	private static boolean isGroup(ParameterException ex, CommandLine command) {
		return ex.getClass() == ParameterException.class && !command.getSubcommands().isEmpty()
				&& ex.getMessage().startsWith("Missing required subcommand");
	}

	private static String message(ParameterException ex, CommandLine command) {
		if (ex instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
			return unmatched(unmatched, command);
		}
		if (ex instanceof MissingParameterException missing) {
			return missing(missing.getMissing(), command);
		}
		return ex.getMessage() + help(command);
	}

	private static String unmatched(UnmatchedArgumentException ex, CommandLine command) {
		String word = ex.getUnmatched().get(0);
		if (word.startsWith("-") && word.length() > 1) {
			return "unknown flag: " + word + similar(ex.getSuggestions()) + help(command);
		}
		if (!command.getSubcommands().isEmpty()) {
			return "unknown command " + GoText.quote(word) + " for "
					+ GoText.quote(command.getCommandSpec().qualifiedName()) + similar(ex.getSuggestions());
		}
		return "unknown argument " + GoText.quote(word) + help(command);
	}

	private static String similar(List<String> suggestions) {
		return suggestions.isEmpty() ? ""
				: suggestions.stream()
					.map((suggestion) -> "\t" + suggestion + "\n")
					.collect(Collectors.joining("", "\n\nDid you mean this?\n", ""));
	}

	private static String missing(List<ArgSpec> missing, CommandLine command) {
		List<String> flags = missing.stream()
			.filter(OptionSpec.class::isInstance)
			.map((option) -> GoText.quote(((OptionSpec) option).longestName().substring(2)))
			.toList();
		return (flags.isEmpty() ? "requires at least 1 arg(s), only received 0"
				: "required flag(s) " + String.join(", ", flags) + " not set") + help(command);
	}

	private static String help(CommandLine command) {
		return "\nSee '" + command.getCommandSpec().qualifiedName() + " --help'";
	}

	private static void tell(PrintWriter err, String message) {
		err.println(message);
		err.flush();
	}

}
