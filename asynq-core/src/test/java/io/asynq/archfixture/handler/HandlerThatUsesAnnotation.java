package io.asynq.archfixture.handler;

import io.asynq.archfixture.annotation.PlainRegistrar;

/**
 * Breaks the rule that nobody uses annotation.
 */
public class HandlerThatUsesAnnotation {

	public final PlainRegistrar registrar = new PlainRegistrar();

}
