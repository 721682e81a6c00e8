package io.asynq.archfixture.operate;

import io.asynq.archfixture.handler.PlainHandler;

/**
 * Breaks the rule that operations use what users have.
 */
public class OperationThatUsesHandler {

	public final Object other = new PlainHandler();

}
