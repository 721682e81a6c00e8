package io.asynq.internal.redis.driver;

/**
 * Sent, but the connection was lost: it is unknown whether Redis executed the command.
 */
public interface NotAnswered {

}
