package io.asynq.broker;

import java.time.Instant;
import java.util.List;

import io.asynq.Task;
import io.asynq.TaskOptions;
import org.jspecify.annotations.Nullable;

/**
 * A periodic task of a scheduler, as the scheduler tells (asynq O19).
 *
 * @param id its id
 * @param spec when it is enqueued: {@code 0 8 * * *}, {@code @every 30s}
 * @param task type and payload; a payload above 64 KiB is left out by schedulers on the
 * JVM
 * @param options how it is enqueued, as far as the texts can be read
 * @param optionTexts how it is enqueued, as Go writes it: {@code Queue("low")}
 * @param next when it is enqueued next, {@code null} for never
 * @param previous when it was enqueued last, {@code null} for never
 */
public record SchedulerEntry(String id, String spec, Task task, TaskOptions options, List<String> optionTexts,
		@Nullable Instant next, @Nullable Instant previous) {
}
