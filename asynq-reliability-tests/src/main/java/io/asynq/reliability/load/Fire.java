package io.asynq.reliability.load;

/**
 * The payload of the task of a {@link Rhythm}.
 *
 * @param entry the id of the rhythm
 * @param second its planned time by the scheduler, s since 1970
 */
public record Fire(String entry, long second) {

}
