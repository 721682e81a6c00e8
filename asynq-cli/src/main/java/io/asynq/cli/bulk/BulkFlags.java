package io.asynq.cli.bulk;

import io.asynq.cli.command.Candidates;
import io.asynq.cli.task.FilterFlags;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Flags that name all tasks of a state.
 */
final class BulkFlags {

	@Option(names = { "-q", "--queue" }, required = true, paramLabel = "<queue>",
			completionCandidates = Candidates.Queues.class, description = "Queue to which the tasks belong.")
	private String queue = "";

	@Option(names = { "-s", "--state" }, required = true, paramLabel = "<state>",
			completionCandidates = Candidates.States.class, description = "State of the tasks.")
	private String state = "";

	@Option(names = { "-g", "--group" }, paramLabel = "<group>",
			description = "Group to which the tasks belong; required for aggregating tasks.")
	private @Nullable String group;

	@Option(names = { "-y", "--yes" }, description = "Do not ask.")
	private boolean yes;

	@Mixin
	private final FilterFlags filters = new FilterFlags();

	String queue() {
		return this.queue;
	}

	String state() {
		return this.state;
	}

	@Nullable String group() {
		return this.group;
	}

	boolean yes() {
		return this.yes;
	}

	FilterFlags filters() {
		return this.filters;
	}

}
