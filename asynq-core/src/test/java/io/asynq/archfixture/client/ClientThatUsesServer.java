package io.asynq.archfixture.client;

import io.asynq.archfixture.server.PlainServer;

/**
 * Breaks the rule that client and server do not use each other.
 */
public class ClientThatUsesServer {

	public final PlainServer server = new PlainServer();

}
