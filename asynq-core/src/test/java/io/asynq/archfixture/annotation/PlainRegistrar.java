package io.asynq.archfixture.annotation;

import io.asynq.archfixture.handler.PlainHandler;

/**
 * Breaks no rule: annotation may use handler.
 */
public class PlainRegistrar {

	public final PlainHandler handler = new PlainHandler();

}
