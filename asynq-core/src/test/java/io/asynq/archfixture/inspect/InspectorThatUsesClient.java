package io.asynq.archfixture.inspect;

import io.asynq.archfixture.client.PlainClient;

/**
 * Breaks the rule that inspect and client do not use each other.
 */
public class InspectorThatUsesClient {

	public final PlainClient client = new PlainClient();

}
