package io.asynq.archfixture.info;

import io.asynq.archfixture.client.PlainClient;

/**
 * Breaks the rule that records use the vocabulary only.
 */
public class InfoThatUsesClient {

	public final Object other = new PlainClient();

}
