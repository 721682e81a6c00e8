package io.asynq.archfixture.handler;

import io.asynq.archfixture.client.PlainClient;

/**
 * Breaks the rule that handlers use roles of the broker only.
 */
public class HandlerThatUsesClient {

	public final Object other = new PlainClient();

}
