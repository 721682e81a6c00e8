package io.asynq.internal.check;

/** Something that works, but will lose or delay tasks. */
public record Finding(String problem, String fix) {
}
