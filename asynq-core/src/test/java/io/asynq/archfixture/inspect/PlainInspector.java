package io.asynq.archfixture.inspect;

/**
 * Breaks nothing.
 */
public class PlainInspector {

}
