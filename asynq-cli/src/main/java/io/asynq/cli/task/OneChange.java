package io.asynq.cli.task;

import java.util.function.Consumer;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.cli.command.GoErrors;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.operations.TaskAction;

/**
 * Does something with one task and says so.
 */
final class OneChange {

	private final Invocation invocation;

	private final OneTask task;

	OneChange(Invocation invocation, OneTask task) {
		this.invocation = invocation;
		this.task = task;
	}

	/**
	 * Acts on the task.
	 * @param verb what is tried, for errors
	 * @param done what was done, in JSON
	 * @param message what was done, for people
	 */
	int act(TaskAction action, String verb, String done, String message) {
		return change((session) -> session.tasks().actOnOne(action, this.task.queue(), this.task.id()), verb + " task",
				done, message);
	}

	int change(Consumer<Session> change, String verb, String done, String message) {
		return this.invocation.run((session) -> {
			try {
				change.accept(session);
			}
			catch (BrokerUnavailableException ex) {
				throw ex;
			}
			catch (AsynqException ex) {
				throw Invocation.failed("could not " + verb + ": " + GoErrors.ofTask(ex));
			}
			this.invocation.output()
				.print(new TaskChange(this.task.queue(), this.task.id(), done), (out) -> out.println(message));
		});
	}

}
