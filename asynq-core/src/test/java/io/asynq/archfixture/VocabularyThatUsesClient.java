package io.asynq.archfixture;

import io.asynq.archfixture.client.PlainClient;

/**
 * Breaks the rule that the vocabulary depends on no other package.
 */
public class VocabularyThatUsesClient {

	public final PlainClient client = new PlainClient();

}
