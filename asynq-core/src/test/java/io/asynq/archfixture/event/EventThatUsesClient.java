package io.asynq.archfixture.event;

import io.asynq.archfixture.client.PlainClient;

/**
 * Breaks the rule that events use the vocabulary only.
 */
public class EventThatUsesClient {

	public final Object other = new PlainClient();

}
