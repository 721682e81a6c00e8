package io.asynq.archfixture.handler;

/**
 * Breaks nothing.
 */
public class PlainHandler {

}
