package io.asynq.archfixture.observation;

import io.asynq.archfixture.client.PlainClient;

/**
 * Breaks the rule that observations use the vocabulary only.
 */
public class ObservationThatUsesClient {

	public final Object other = new PlainClient();

}
