package io.asynq.cli;

import java.util.List;
import java.util.stream.Collectors;

import io.asynq.AsynqException;
import io.asynq.internal.text.GoText;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
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

	/** Advice of the library names Spring's properties; here they are flags. */
	private static final List<String[]> FLAG_WORDS = List.of(
			new String[] {
					"spring.data.redis.host and spring.data.redis.port, or spring.data.redis.url, or the nodes of "
							+ "the cluster or of Sentinel",
					"--uri, ASYNQ_URI and ~/.asynq.yaml" },
			new String[] {
					"spring.data.redis.cluster.nodes instead of spring.data.redis.host and spring.data.redis.port",
					"--cluster, or a URI redis-cluster://" },
			new String[] { "spring.data.redis.host, or spring.data.redis.url, points", "--uri points" },
			new String[] {
					"set spring.data.redis.ssl.bundle to a bundle that trusts the certificate authority of this Redis",
					"set JAVA_TOOL_OPTIONS=-Djavax.net.ssl.trustStore=… to a store with its certificate authority" },
			new String[] { "spring.data.redis.port", "--uri" },
			new String[] { "spring.data.redis.username", "--username" },
			new String[] { "spring.data.redis.password", "--password" },
			new String[] { "spring.data.redis.database", "--db" }, new String[] { "spring.data.redis.ssl", "--tls" });

	@Override
	public int handleParseException(ParameterException ex, String[] args) {
		CommandLine command = ex.getCommandLine();
		// Go's program answers the name of a group with its help
		if (ex.getClass() == ParameterException.class && !command.getSubcommands().isEmpty()
				&& ex.getMessage().startsWith("Missing required subcommand")) {
			command.usage(command.getOut());
			command.getOut().flush();
			return 0;
		}
		return tell(command, message(ex, command), NOT_UNDERSTOOD);
	}

	@Override
	public int handleExecutionException(Exception ex, CommandLine command, ParseResult parsed) {
		command.getOut().flush();
		if (ex instanceof UsageException) {
			return tell(command, String.valueOf(ex.getMessage()), NOT_UNDERSTOOD);
		}
		if (ex instanceof AsynqException || ex instanceof CommandFailedException) {
			String text = String.valueOf(ex.getMessage());
			for (String[] word : FLAG_WORDS) {
				text = text.replace(word[0], word[1]);
			}
			return tell(command, text, FAILED);
		}
		tell(command, "error: " + ex, FAILED);
		if (!System.getenv().getOrDefault("ASYNQ_DEBUG", "").isEmpty()) {
			ex.printStackTrace(command.getErr());
		}
		return FAILED;
	}

	private static String message(ParameterException ex, CommandLine command) {
		String name = command.getCommandSpec().qualifiedName();
		String help = "\nSee '" + name + " --help'";
		if (ex instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
			String word = unmatched.getUnmatched().get(0);
			if (word.startsWith("-") && word.length() > 1) {
				return "unknown flag: " + word + similar(unmatched.getSuggestions()) + help;
			}
			return command.getSubcommands().isEmpty() ? "unknown argument " + GoText.quote(word) + help
					: "unknown command " + GoText.quote(word) + " for " + GoText.quote(name)
							+ similar(unmatched.getSuggestions());
		}
		if (ex instanceof MissingParameterException missing) {
			List<String> flags = missing.getMissing()
				.stream()
				.filter(OptionSpec.class::isInstance)
				.map((option) -> GoText.quote(((OptionSpec) option).longestName().substring(2)))
				.toList();
			return (flags.isEmpty() ? "requires at least 1 arg(s), only received 0"
					: "required flag(s) " + String.join(", ", flags) + " not set") + help;
		}
		return ex.getMessage() + help;
	}

	private static String similar(List<String> suggestions) {
		return suggestions.isEmpty() ? ""
				: suggestions.stream()
					.map((suggestion) -> "\t" + suggestion + "\n")
					.collect(Collectors.joining("", "\n\nDid you mean this?\n", ""));
	}

	private static int tell(CommandLine command, String message, int code) {
		command.getErr().println(message);
		command.getErr().flush();
		return code;
	}

}
