package io.asynq.broker.redis.driver;

/**
 * Marks an error after which it is unknown whether Redis executed the command: it was
 * sent, but the connection was lost before the answer.
 */
public interface NotAnswered {

}
