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
 * Resumes queues.
 */
@Command(name = "resume", aliases = "unpause", description = "Resume (unpause) one or more queues.",
		footer = "  asynq queue resume critical")
public final class QueueResumeCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Parameters(arity = "1..*", paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
			description = "Names of queues.")
	private List<String> queues = List.of();

	public QueueResumeCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		try (Session session = this.invocation.open()) {
			return this.invocation.each(this.queues, (queue) -> resume(session, queue));
		}
	}

	private @Nullable String resume(Session session, String queue) {
		try {
			session.inspector().resumeQueue(queue);
			this.invocation.output()
				.print(new QueueChange(queue, "resumed"),
						(out) -> out.println("Successfully unpaused queue " + GoText.quote(queue)));
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
