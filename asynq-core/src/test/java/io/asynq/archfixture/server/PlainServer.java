package io.asynq.archfixture.server;

import io.asynq.archfixture.handler.PlainHandler;

/**
 * Breaks no rule: a server may use handlers.
 */
public class PlainServer {

	public final PlainHandler handler = new PlainHandler();

}
