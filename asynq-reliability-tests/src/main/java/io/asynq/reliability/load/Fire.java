package io.asynq.reliability.load;

/** The payload of the task of a {@link Rhythm}. */
public record Fire(String entry, long second) {

}
