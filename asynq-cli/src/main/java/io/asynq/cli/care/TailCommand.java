package io.asynq.cli.care;

import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.asynq.BrokerUnavailableException;
import io.asynq.cli.command.Candidates;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.terminal.UsageException;
import io.asynq.internal.text.GoDuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Prints outcomes of tasks as they happen. Redis tells nobody of outcomes, so this looks
 * again and again: attempts are counted, and those tasks are named that Redis keeps.
 */
@Command(name = "tail",
		description = { "Print outcomes of tasks as they happen, until Ctrl+C.",
				"Attempts are counted exactly. Named are tasks that fail and completed tasks that are kept "
						+ "(--retention); of many failures at once only some." },
		footer = "  asynq tail critical --for 10m")
public final class TailCommand implements Callable<Integer> {

	private static final Duration LEAST = Duration.ofMillis(100);

	private final Invocation invocation;

	@Parameters(arity = "0..*", paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
			description = "Names of queues (default: all).")
	private List<String> queues = List.of();

	@Option(names = "--interval", defaultValue = "2s", paramLabel = "<duration>",
			description = "How often to look (default: ${DEFAULT-VALUE}, at least 100ms).")
	private String interval = "";

	@Option(names = "--for", paramLabel = "<duration>", description = "When to end (default: never).")
	private @Nullable String duration;

	public TailCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		Duration pause = duration("--interval", this.interval);
		if (pause.compareTo(LEAST) < 0) {
			throw new UsageException("--interval must be at least 100ms, but is " + this.interval);
		}
		Clock clock = this.invocation.surroundings().clock();
		Instant end = (this.duration != null) ? clock.instant().plus(duration("--for", this.duration)) : Instant.MAX;
		return this.invocation.run((session) -> watch(session, pause, end));
	}

	private void watch(Session session, Duration pause, Instant end) {
		Clock clock = this.invocation.surroundings().clock();
		Outcomes outcomes = new Outcomes(session, this.queues);
		CountDownLatch never = new CountDownLatch(1);
		boolean away = false;
		while (true) {
			try {
				outcomes.look().forEach(this::print);
				away = false;
			}
			catch (BrokerUnavailableException ex) {
				if (outcomes.isNew()) {
					throw ex;
				}
				if (!away) {
					this.invocation.tell(ex.getMessage() + ": looking again");
				}
				away = true;
			}
			if (!clock.instant().isBefore(end) || waits(never, pause)) {
				return;
			}
		}
	}

	private void print(Outcome outcome) {
		this.invocation.output().print(outcome, (PrintWriter out) -> out.println(outcome.line()));
	}

	private static boolean waits(CountDownLatch never, Duration pause) {
		try {
			return never.await(pause.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return true;
		}
	}

	private static Duration duration(String flag, String text) {
		try {
			return GoDuration.parse(text);
		}
		catch (IllegalArgumentException ex) {
			throw new UsageException(flag + ": " + ex.getMessage());
		}
	}

}
