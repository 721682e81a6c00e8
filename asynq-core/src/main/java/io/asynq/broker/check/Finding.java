package io.asynq.broker.check;

/**
 * Something that works, but will lose or delay tasks.
 *
 * @param problem what is wrong and what comes of it, one sentence without its full stop
 * @param fix what to do about it
 */
public record Finding(String problem, String fix) {
}
