package io.asynq.handler;

import io.asynq.AsynqException;

/**
 * No handler is registered for the type of a task.
 */
public class HandlerNotFoundException extends AsynqException {

	public HandlerNotFoundException(String type) {
		super("handler not found for task \"" + type + "\"");
	}

}
