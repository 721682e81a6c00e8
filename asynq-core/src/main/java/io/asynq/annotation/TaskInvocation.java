package io.asynq.annotation;

import java.util.Map;

import io.asynq.Task;
import io.asynq.handler.TaskContext;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;

/**
 * One call of a handler method, as a message for Spring's argument resolvers. The headers
 * of the task are not headers of the message, which reserves the names {@code id} and
 * {@code timestamp}.
 */
public record TaskInvocation(Task task, TaskContext context) implements Message<Task> {

	private static final MessageHeaders NO_HEADERS = new MessageHeaders(Map.of());

	/**
	 * Returns the invocation that an argument resolver was given.
	 * @throws ClassCastException if it is another message
	 */
	public static TaskInvocation of(Message<?> message) {
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
