package io.asynq.cli.queue;

import java.util.List;
import java.util.concurrent.Callable;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.cli.command.Candidates;
import io.asynq.cli.command.GoErrors;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.internal.text.GoText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Pauses queues.
 */
@Command(name = "pause", description = "Pause one or more queues.", footer = "  asynq queue pause critical")
public final class QueuePauseCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Parameters(arity = "1..*", paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
			description = "Names of queues.")
	private List<String> queues = List.of();

	public QueuePauseCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		try (Session session = this.invocation.open()) {
			return this.invocation.each(this.queues, (queue) -> pause(session, queue));
		}
	}

	private @Nullable String pause(Session session, String queue) {
		try {
			session.inspector().pauseQueue(queue);
			this.invocation.output()
				.print(new QueueChange(queue, "paused"),
						(out) -> out.println("Successfully paused queue " + GoText.quote(queue)));
			if (!session.inspector().queues().contains(queue)) {
				// Allowed before its first task, but perhaps a slip
				this.invocation.tell("warning: there is no queue " + GoText.quote(queue) + " yet");
			}
			return null;
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			return GoErrors.ofQueue(queue, ex);
		}
	}

}
