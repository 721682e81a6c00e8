package io.asynq.archfixture.metrics;

import io.asynq.archfixture.handler.PlainHandler;

/**
 * Breaks the rule that metrics use only what they measure.
 */
public class MetricThatUsesHandler {

	public final Object other = new PlainHandler();

}
