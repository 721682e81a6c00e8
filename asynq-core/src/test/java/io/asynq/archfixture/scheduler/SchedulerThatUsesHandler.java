package io.asynq.archfixture.scheduler;

import io.asynq.archfixture.handler.PlainHandler;

/**
 * Breaks the rule that scheduler uses client only.
 */
public class SchedulerThatUsesHandler {

	public final PlainHandler handler = new PlainHandler();

}
