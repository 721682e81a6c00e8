package io.asynq.annotation;

import java.util.Map;

import io.asynq.Task;
import io.asynq.handler.TaskContext;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;

/**
 * One call of a handler method, in the form Spring's argument resolvers want it. The
 * task's headers are not among the message's: those reserve the names {@code id} and
 * {@code timestamp}.
 *
 * @param task the task
 * @param context the attempt
 */
record TaskInvocation(Task task, TaskContext context) implements Message<Task> {

	private static final MessageHeaders NO_HEADERS = new MessageHeaders(Map.of());

	static TaskInvocation of(Message<?> message) {
		return (TaskInvocation) message;
	}

	@Override
	public Task getPayload() {
		return this.task;
	}

	@Override
	public MessageHeaders getHeaders() {
		return NO_HEADERS;
	}

}
