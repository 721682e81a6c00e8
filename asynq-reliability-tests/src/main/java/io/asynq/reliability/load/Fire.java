package io.asynq.reliability.load;

/**
 * The payload of the task of a {@link Rhythm}.
 *
 * @param entry the id of the rhythm
 * @param second when it was to fire, s since 1970, as the scheduler says
 */
public record Fire(String entry, long second) {

}
