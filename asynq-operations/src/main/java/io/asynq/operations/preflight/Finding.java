package io.asynq.operations.preflight;

/** Something that works, but will lose or delay tasks. */
public record Finding(String problem, String fix) {
}
