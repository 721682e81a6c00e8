package io.asynq.test;

import io.asynq.annotation.TaskHandler;

/**
 * A handler whose method subclasses of other packages do not see.
 */
public class HandlerOfAnotherPackage {

	@TaskHandler("x")
	String work(String payload) {
		return payload;
	}

}
