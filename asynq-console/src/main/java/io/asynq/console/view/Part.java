package io.asynq.console.view;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

record Part(Instant asOf, List<?> entries, @Nullable String next) {
}
