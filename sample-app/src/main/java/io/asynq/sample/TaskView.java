package io.asynq.sample;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A task as a customer sees it.
 *
 * @param state asynq's name of the state, {@code deferred} while it is in the outbox, or
 * {@code done} when it has succeeded and was deleted
 * @param retried how often it was retried, unknown after it was deleted
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record TaskView(String id, String queue, String state, @Nullable Integer retried, @Nullable String lastError,
		@Nullable JsonNode result) {

	static TaskView waiting(OrderTask task) {
		return new TaskView(task.id(), task.queue(), TaskState.DEFERRED.wireName(), null, null, null);
	}

	static TaskView done(OrderTask task) {
		return new TaskView(task.id(), task.queue(), "done", null, null, null);
	}

}
