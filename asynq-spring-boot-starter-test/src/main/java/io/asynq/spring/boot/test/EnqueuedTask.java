package io.asynq.spring.boot.test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.NewTask;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.inspect.TaskInfos;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.payload.PayloadConversionException;
import io.asynq.payload.PayloadConverter;
import org.jspecify.annotations.Nullable;

/**
 * A task as it was when it was enqueued, whatever has become of it since. Immutable and
 * safe for concurrent use.
 */
public final class EnqueuedTask {

	private final TaskInfo info;

	private final Duration delay;

	private final boolean unique;

	private final PayloadConverter converter;

	private EnqueuedTask(TaskInfo info, Duration delay, boolean unique, PayloadConverter converter) {
		this.info = info;
		this.delay = delay;
		this.unique = unique;
		this.converter = converter;
	}

	static EnqueuedTask of(EnqueueRequest request, Instant now, PayloadConverter converter) {
		TaskMessage message = request.message();
		TaskState state = NewTask.of(request).state();
		Instant due = (request.placement() instanceof Placement.Scheduled later) ? later.at() : now;
		TaskInfo info = TaskInfos.builder(message, state, String.valueOf(due.getEpochSecond()), new byte[0], now)
			.build();
		return new EnqueuedTask(info, Duration.between(now, due), request.lockTtl() != null, converter);
	}

	/**
	 * Returns the task: id, queue, type, headers, options and the state that it had
	 * first.
	 */
	public TaskInfo info() {
		return this.info;
	}

	/** Returns how long after it was enqueued the task is due. */
	public Duration delay() {
		return this.delay;
	}

	/** Returns whether the task took a unique lock. */
	public boolean isUnique() {
		return this.unique;
	}

	/**
	 * Converts the payload, as a handler's argument is converted.
	 * @param <T> the type
	 * @param type the class to convert to
	 * @return the payload, {@code null} if there is none
	 * @throws io.asynq.payload.PayloadConversionException if it does not fit the class
	 */
	public <T> @Nullable T payload(Class<T> type) {
		return type.cast(this.converter.fromBytes(this.info.payload(), type));
	}

	boolean hasPayload(Object expected) {
		return Arrays.equals(this.converter.toBytes(expected), this.info.payload())
				|| expected.equals(as(expected.getClass()));
	}

	private @Nullable Object as(Class<?> type) {
		try {
			return payload(type);
		}
		catch (PayloadConversionException ex) {
			// A payload of another class is another payload
			return null;
		}
	}

	/** Returns what failures show of the task. */
	String describe() {
		byte[] payload = this.info.payload();
		StringBuilder text = new StringBuilder(this.info.type()).append(" in queue ").append(this.info.queue());
		if (this.info.group() != null) {
			text.append(", group ").append(this.info.group());
		}
		if (this.info.state() == TaskState.SCHEDULED) {
			text.append(", in ").append(this.delay);
		}
		if (!this.info.headers().isEmpty()) {
			text.append(", headers ").append(this.info.headers());
		}
		return text.append(", payload ")
			.append((payload != null) ? new String(payload, StandardCharsets.UTF_8) : "none")
			.append(", id ")
			.append(this.info.id())
			.toString();
	}

	/** Shows no payload, as no log line does. */
	@Override
	public String toString() {
		return "EnqueuedTask[id=" + this.info.id() + ", queue=" + this.info.queue() + ", type=" + this.info.type()
				+ "]";
	}

}
