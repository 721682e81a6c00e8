package io.asynq.archfixture.scheduler;

import io.asynq.archfixture.handler.PlainHandler;

/**
 * Breaks: scheduler uses client only.
 */
public class SchedulerThatUsesHandler {

	public final PlainHandler handler = new PlainHandler();

}
