package io.asynq.inspect;

import java.time.Instant;
import java.util.List;

import io.asynq.Task;
import io.asynq.TaskOptions;
import org.jspecify.annotations.Nullable;

/**
 * A periodic task of a scheduler, as the scheduler reports it.
 *
 * @param spec when it fires: {@code 0 8 * * *}, {@code @every 30s}
 * @param task type and payload; Java schedulers leave out a payload above 64 KiB
 * @param options options of its tasks, as far as the texts can be parsed
 * @param optionTexts options of its tasks as Go writes them: {@code Queue("low")}
 * @param next its next fire, {@code null} for never
 * @param previous its last fire, {@code null} for never
 */
public record SchedulerEntry(String id, String spec, Task task, TaskOptions options, List<String> optionTexts,
		@Nullable Instant next, @Nullable Instant previous) {
}
