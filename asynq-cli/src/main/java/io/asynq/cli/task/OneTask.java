package io.asynq.cli.task;

import io.asynq.cli.command.Candidates;
import picocli.CommandLine.Option;

/**
 * Flags that name one task.
 */
final class OneTask {

	@Option(names = { "-q", "--queue" }, required = true, paramLabel = "<queue>",
			completionCandidates = Candidates.Queues.class, description = "Queue to which the task belongs.")
	private String queue = "";

	@Option(names = { "-i", "--id" }, required = true, paramLabel = "<id>", description = "Id of the task.")
	private String id = "";

	String queue() {
		return this.queue;
	}

	String id() {
		return this.id;
	}

}
