package io.asynq.archfixture.broker.redis.task;

/**
 * Breaks no rule.
 */
public class PlainTaskPart {

}
