package io.asynq.event;

import java.time.Duration;

/**
 * A task could not run yet and will be tried later; nothing is counted.
 *
 * @param delay after which time, rounded up to whole seconds
 */
public record TaskPostponedEvent(TaskFacts facts, Duration delay) implements TaskEvent {
}
