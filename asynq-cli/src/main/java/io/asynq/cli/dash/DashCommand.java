package io.asynq.cli.dash;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;

import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.dash.terminal.TerminalDisplay;
import io.asynq.cli.terminal.CommandFailedException;
import io.asynq.cli.terminal.Surroundings;
import io.asynq.cli.terminal.UsageException;
import io.asynq.internal.text.GoDuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Opens the interactive view.
 */
@Command(name = "dash", description = "Look at queues and tasks in the terminal, and act on them.",
		footer = "  asynq dash --refresh 2s")
public final class DashCommand implements Callable<Integer> {

	private static final Duration LEAST_REFRESH = Duration.ofSeconds(1);

	private final Invocation invocation;

	@Option(names = "--refresh", paramLabel = "<duration>", defaultValue = "8s",
			description = "How often to read Redis, 1s or more (default: ${DEFAULT-VALUE}).")
	private String refresh = "8s";

	public DashCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() throws InterruptedException {
		Duration interval = interval();
		Surroundings surroundings = this.invocation.surroundings();
		String noColor = surroundings.environment().variables().get("NO_COLOR");
		try (Session session = this.invocation.open();
				TerminalDisplay display = TerminalDisplay.open(noColor == null || noColor.isEmpty())) {
			Desk desk = new Desk(session.inspector(), session.queues(), session.tasks());
			return new DashLoop(display, desk, surroundings.clock()).run(interval);
		}
		catch (IOException ex) {
			throw new CommandFailedException("asynq dash needs a terminal: " + ex.getMessage());
		}
	}

	private Duration interval() {
		Duration interval;
		try {
			interval = GoDuration.parse(this.refresh);
		}
		catch (RuntimeException ex) {
			throw new UsageException("--refresh must be a duration such as 8s, but is '" + this.refresh + "'");
		}
		if (interval.compareTo(LEAST_REFRESH) < 0) {
			throw new UsageException("--refresh must be 1s or more, but is " + this.refresh);
		}
		return interval;
	}

}
