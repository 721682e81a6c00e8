package io.asynq.cli.care;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.asynq.cli.command.Candidates;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.output.Cell;
import io.asynq.cli.terminal.UsageException;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Prints a script that completes commands in a shell.
 */
@Command(name = "completion", aliases = "generate-completion",
		description = "Print a script with which bash and zsh complete command lines, to be read by source.",
		footer = "  asynq completion bash")
public final class CompletionCommand implements Runnable {

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private static final Pattern MARKED = Pattern.compile("local (\\w+)=\\(\"" + Candidates.Queues.MARK + "\"\\)");

	/** Asks the Redis that the line names so far. */
	private static final String QUEUES = """

			function _asynq_queues() {
			  local word take=0 IFS=$' \\t\\n'
			  local where=()
			  for word in $(printf '%s' "${COMP_LINE}"); do
			    case ${word} in
			      --uri=*|--db=*|--username=*|--password=*|--config=*|--cluster_addrs=*|--tls_server=*) where+=("${word}") ;;
			      --cluster|--tls|--insecure) where+=("${word}") ;;
			      -u|-n|-U|-p|--uri|--db|--username|--password|--config|--cluster_addrs|--tls_server)
			        where+=("${word}"); take=1; continue ;;
			      *) if [ "${take}" = 1 ]; then where+=("${word}"); fi ;;
			    esac
			    take=0
			  done
			  IFS=$'\\n'
			  compReplyArray $("${COMP_WORDS[0]}" completion --queues "${where[@]}" 2>/dev/null)
			}
			""";

	private final Invocation invocation;

	@Parameters(arity = "0..1", paramLabel = "<shell>", completionCandidates = Candidates.Shells.class,
			defaultValue = "bash", description = "bash or zsh; it is one script for both.")
	private String shell = "";

	@Option(names = "--queues", description = "Print names of queues instead, as the script asks for them.")
	private boolean queues;

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
		if (this.queues) {
			queues().forEach(out::println);
			return;
		}
		out.print(askingForQueues(AutoComplete.bash("asynq", this.spec.root().commandLine())));
		out.println();
	}

	/** Whoever presses Tab waits for no Redis that is away, and wants no errors. */
	private List<String> queues() {
		try (Session session = this.invocation.openFor(PATIENCE)) {
			return session.inspector()
				.queues()
				.stream()
				.filter((queue) -> Cell.text(queue).equals(queue))
				.sorted()
				.toList();
		}
		catch (RuntimeException ex) {
			return List.of();
		}
	}

	/** The mark would be completed as it is: a function takes its place. */
	private static String askingForQueues(String script) {
		String asking = script;
		Matcher marked = MARKED.matcher(script);
		while (marked.find()) {
			asking = asking.replace("compReplyArray \"${" + marked.group(1) + "[@]}\"", "_asynq_queues");
		}
		return asking + QUEUES;
	}

}
