package io.asynq.cli;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.asynq.BrokerUnavailableException;
import io.asynq.cli.dash.DashLoop;
import io.asynq.internal.text.GoDuration;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands that belong to no group. */
final class RootCommands extends Invocation {

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

	RootCommands(Invocation invocation) {
		super(invocation);
	}

	@Command(name = "dash", description = "Look at queues and tasks in the terminal, and act on them.",
			footer = "  asynq dash --refresh 2s")
	int dash(
			@Option(names = "--refresh", paramLabel = "<duration>", defaultValue = "8s",
					description = "How often to read Redis, 1s or more (default: ${DEFAULT-VALUE}).") String refresh)
			throws InterruptedException {
		Duration interval;
		try {
			interval = GoDuration.parse(refresh);
		}
		catch (RuntimeException ex) {
			throw new UsageException("--refresh must be a duration such as 8s, but is '" + refresh + "'");
		}
		if (interval.toMillis() < 1000) {
			throw new UsageException("--refresh must be 1s or more, but is " + refresh);
		}
		boolean colours = this.surroundings.variables().getOrDefault("NO_COLOR", "").isEmpty();
		try (Session session = open()) {
			return DashLoop.run(session.inspector(), session.tasks(), this.surroundings.clock(), interval, colours);
		}
		catch (IOException ex) {
			throw new CommandFailedException("asynq dash needs a terminal: " + ex.getMessage());
		}
	}

	/** Redis tells nobody of outcomes, so this looks again and again. */
	@Command(name = "tail",
			description = { "Print outcomes of tasks as they happen, until Ctrl+C.",
					"Attempts are counted exactly. Named are tasks that fail and completed tasks that are kept "
							+ "(--retention); of many failures at once only some." },
			footer = "  asynq tail critical --for 10m")
	int tail(
			@Parameters(arity = "0..*", paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
					description = "Names of queues (default: all).") @Nullable List<String> queues,
			@Option(names = "--interval", defaultValue = "2s", paramLabel = "<duration>",
					description = "How often to look (default: ${DEFAULT-VALUE}, at least 100ms).") String interval,
			@Option(names = "--for", paramLabel = "<duration>",
					description = "When to end (default: never).") @Nullable String end) {
		Duration pause = duration("--interval", interval);
		if (pause.toMillis() < 100) {
			throw new UsageException("--interval must be at least 100ms, but is " + interval);
		}
		Clock clock = this.surroundings.clock();
		Instant last = (end != null) ? clock.instant().plus(duration("--for", end)) : Instant.MAX;
		try (Session session = open()) {
			Outcomes outcomes = new Outcomes(session, (queues != null) ? queues : List.of());
			boolean away = false;
			do {
				try {
					outcomes.look().forEach((outcome) -> print(outcome, outcome.line()));
					away = false;
				}
				catch (BrokerUnavailableException ex) {
					if (outcomes.isNew()) {
						throw ex;
					}
					if (!away) {
						tell(ex.getMessage() + ": looking again");
					}
					away = true;
				}
			}
			while (clock.instant().isBefore(last)
					&& !new CountDownLatch(1).await(pause.toMillis(), TimeUnit.MILLISECONDS));
			return 0;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return 0;
		}
	}

	@Command(name = "version", hidden = true, description = "Print the version.", footer = "  asynq version")
	void printVersion() {
		print(Map.of("version", version()), "asynq version " + version());
	}

	static String version() {
		String version = RootCommands.class.getPackage().getImplementationVersion();
		return (version != null) ? version : "(development)";
	}

	@Command(name = "completion", aliases = "generate-completion",
			description = "Print a script with which bash and zsh complete command lines, to be read by source.",
			footer = "  asynq completion bash")
	void completion(
			@Parameters(arity = "0..1", paramLabel = "<shell>", completionCandidates = Candidates.Shells.class,
					defaultValue = "bash", description = "bash or zsh; it is one script for both.") String shell,
			@Option(names = "--queues",
					description = "Print names of queues instead, as the script asks for them.") boolean queues) {
		if (!shell.equals("bash") && !shell.equals("zsh")) {
			throw new UsageException("Completion is there for bash and zsh, but not for " + shell);
		}
		if (queues) {
			queues().forEach(this.out::println);
			return;
		}
		String script = AutoComplete.bash("asynq", CommandTree.of(this.surroundings));
		// The mark would be completed as it is: a function takes its place
		Matcher marked = MARKED.matcher(script);
		String asking = script;
		while (marked.find()) {
			asking = asking.replace("compReplyArray \"${" + marked.group(1) + "[@]}\"", "_asynq_queues");
		}
		this.out.println(asking + QUEUES);
	}

	/** Whoever presses Tab waits for no Redis that is away, and wants no errors. */
	private List<String> queues() {
		try (Session session = openFor(Duration.ofSeconds(1))) {
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

}
