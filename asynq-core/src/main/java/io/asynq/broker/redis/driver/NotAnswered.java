package io.asynq.broker.redis.driver;

/**
 * Marks an error after which nobody knows whether Redis has done what it was asked: the
 * question was sent, and the connection was lost before its answer came.
 */
public interface NotAnswered {

}
