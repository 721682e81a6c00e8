package io.asynq.cli.queue;

import java.util.List;

import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import picocli.CommandLine.Command;

/**
 * Lists queues.
 */
@Command(name = "list", aliases = "ls", description = "List queues.")
public final class QueueListCommand implements Runnable {

	private final Invocation invocation;

	public QueueListCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public void run() {
		try (Session session = this.invocation.open()) {
			List<String> queues = session.inspector().queues().stream().sorted().toList();
			this.invocation.output().printAll(queues, (out) -> queues.forEach(out::println));
		}
	}

}
