package io.asynq.archfixture.handler;

import io.asynq.archfixture.annotation.PlainRegistrar;

/**
 * Breaks: nobody uses annotation.
 */
public class HandlerThatUsesAnnotation {

	public final PlainRegistrar registrar = new PlainRegistrar();

}
