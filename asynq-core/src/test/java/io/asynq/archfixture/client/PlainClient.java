package io.asynq.archfixture.client;

/**
 * Breaks nothing.
 */
public class PlainClient {

}
