package io.asynq.benchmarks.micro;

import java.time.Duration;
import java.time.Instant;

import io.asynq.handler.ResultWriter;
import io.asynq.handler.TaskContext;
import org.jspecify.annotations.Nullable;

/** The context of a handler that does not use it. */
final class NoContext implements TaskContext {

	@Override
	public String taskId() {
		return "";
	}

	@Override
	public String queue() {
		return "";
	}

	@Override
	public int retryCount() {
		return 0;
	}

	@Override
	public int maxRetry() {
		return 0;
	}

	@Override
	public Instant deadline() {
		return Instant.MAX;
	}

	@Override
	public Duration remaining() {
		return Duration.ofDays(1);
	}

	@Override
	public String attemptId() {
		return "";
	}

	@Override
	public @Nullable Throwable cancellation() {
		return null;
	}

	@Override
	public Duration retention() {
		return Duration.ofDays(1);
	}

	@Override
	public ResultWriter resultWriter() {
		throw new UnsupportedOperationException("No result is kept");
	}

}
