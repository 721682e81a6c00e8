package io.asynq.archfixture.inspect;

/**
 * Breaks no rule.
 */
public class PlainInspector {

}
