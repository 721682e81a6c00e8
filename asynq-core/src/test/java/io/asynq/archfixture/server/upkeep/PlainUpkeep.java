package io.asynq.archfixture.server.upkeep;

/**
 * Breaks no rule.
 */
public class PlainUpkeep {

}
