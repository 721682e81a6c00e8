package io.asynq.archfixture.server;

import io.asynq.archfixture.scheduler.SchedulerThatUsesHandler;

/**
 * Breaks the rule that server uses handler only.
 */
public class ServerThatUsesScheduler {

	public final SchedulerThatUsesHandler scheduler = new SchedulerThatUsesHandler();

}
