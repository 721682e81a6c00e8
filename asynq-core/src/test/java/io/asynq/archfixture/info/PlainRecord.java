package io.asynq.archfixture.info;

/**
 * Breaks no rule.
 */
public class PlainRecord {

}
