package io.asynq.cli.task;

import java.util.concurrent.Callable;

import io.asynq.cli.command.Invocation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Replaces the payload of a scheduled task.
 */
@Command(name = "update-payload", description = "Replace the payload of a scheduled task.",
		footer = "  asynq task update-payload -q default -i 1b4e28ba -l '{\"to\":\"eve\"}'")
public final class TaskUpdatePayloadCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Mixin
	private final OneTask task = new OneTask();

	@Mixin
	private final PayloadFlags payload = new PayloadFlags();

	public TaskUpdatePayloadCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		byte[] bytes = this.payload.bytes();
		return new OneChange(this.invocation, this.task).change(
				(session) -> session.tasks().updatePayload(this.task.queue(), this.task.id(), bytes), "update payload",
				"updated", "task payload updated");
	}

}
