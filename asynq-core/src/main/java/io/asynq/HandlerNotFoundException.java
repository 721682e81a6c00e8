package io.asynq;

/**
 * No handler is registered for the type (asynq H17).
 */
public class HandlerNotFoundException extends AsynqException {

	public HandlerNotFoundException(String type) {
		super("handler not found for task \"" + type + "\"");
	}

}
