package io.asynq.console.view;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

record TaskLine(String id, String queue, String type, TaskState state, int retried, int maxRetry,
		@Nullable String lastError, @Nullable Instant lastFailedAt, @Nullable Instant nextProcessAt,
		@Nullable Instant pendingSince, List<String> waitsFor, @Nullable Instant completedAt, @Nullable String group,
		boolean orphaned, @Nullable Instant startedAt, @Nullable Instant deadline, @Nullable String server,
		@Nullable String payloadPreview, int payloadSize, Map<String, @Nullable String> headers) {
}
