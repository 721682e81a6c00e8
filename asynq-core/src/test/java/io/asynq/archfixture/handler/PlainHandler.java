package io.asynq.archfixture.handler;

/**
 * Breaks no rule.
 */
public class PlainHandler {

}
