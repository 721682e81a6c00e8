package io.asynq.archfixture.client;

/**
 * Breaks no rule.
 */
public class PlainClient {

}
