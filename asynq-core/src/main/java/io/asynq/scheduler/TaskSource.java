package io.asynq.scheduler;

import java.util.concurrent.Callable;

import io.asynq.Task;
import io.asynq.client.FireClient;
import org.jspecify.annotations.Nullable;

/**
 * Where the task of a fire comes from.
 *
 * @param type its type, empty if only the fire tells
 * @param fixed the task, {@code null} if it is asked for
 * @param payload is asked for it
 */
record TaskSource(String type, @Nullable Task fixed, Callable<?> payload) {

	static TaskSource of(Task task) {
		return new TaskSource((task.type() != null) ? task.type() : "", task, () -> task);
	}

	static TaskSource calling(String type, Callable<?> payload) {
		return new TaskSource(type, null, payload);
	}

	/**
	 * Returns the task of a fire.
	 * @param client converts payloads
	 * @return the task, {@code null} for none
	 * @throws Exception what was asked throws
	 */
	@Nullable Task next(FireClient client) throws Exception {
		Object payload = this.payload.call();
		return (payload != null) ? client.task(this.type, payload) : null;
	}

}
