package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.asynq.event.ArchiveReason;
import io.asynq.event.TaskFacts;
import io.asynq.event.TaskEvent;
import io.asynq.event.TaskOutcome;
import io.asynq.handler.TaskCanceledException;
import io.asynq.handler.TaskDeadlineExceededException;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Statistics;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.redis.Text;
import org.jspecify.annotations.Nullable;

/** Applied to the message as dequeued, if the task still belongs to the attempt. */
public sealed interface Outcome {

	LeasedTask task();

	Kind kind();

	default TaskMessage message() {
		return task().message();
	}

	/** What the script is told of this task, after its id and fence. */
	void addTo(List<Object> args, Instant now, long nanoTime);

	/** Says nothing of tasks that only go back to where they wait. */
	default void tell(TaskEvents events, TaskFacts facts, @Nullable Throwable error) {
	}

	/** Succeeded or revoked. */
	record Done(LeasedTask task) implements Outcome {

		@Override
		public Kind kind() {
			return Kind.DONE;
		}

		@Override
		public void addTo(List<Object> args, Instant now, long nanoTime) {
			args.add(message().uniqueKey());
		}

		@Override
		public void tell(TaskEvents events, TaskFacts facts, @Nullable Throwable error) {
			events.tell((error != null) ? new TaskEvent.Revoked(facts, error) : new TaskEvent.Succeeded(facts));
		}

	}

	/** Succeeded; {@code null} keeps the result that the handler wrote. */
	record Completed(LeasedTask task, byte @Nullable [] result) implements Outcome {

		@Override
		public Kind kind() {
			return Kind.COMPLETED;
		}

		public TaskMessage stored(Instant now) {
			return message().toBuilder().completedAtSeconds(Text.seconds(now)).build();
		}

		@Override
		public void addTo(List<Object> args, Instant now, long nanoTime) {
			args.addAll(List.of(TaskMessageCodec.encode(stored(now)), message().retentionSeconds(),
					message().uniqueKey(), (this.result != null) ? 1 : 0, (this.result != null) ? this.result : ""));
		}

		@Override
		public void tell(TaskEvents events, TaskFacts facts, @Nullable Throwable error) {
			events.tell(new TaskEvent.Succeeded(facts));
		}

	}

	/** Due times are cut to whole seconds; counts only if it is a failure. */
	record Retry(LeasedTask task, String error, Due due, boolean failure) implements Outcome {

		@Override
		public Kind kind() {
			return Kind.RETRY;
		}

		public TaskMessage stored(Instant now) {
			int retried = message().retried() + (this.failure ? 1 : 0);
			return message().failed(this.error, now).retried(retried).build();
		}

		@Override
		public void addTo(List<Object> args, Instant now, long nanoTime) {
			args.addAll(List.of(TaskMessageCodec.encode(stored(now)), this.due.left(nanoTime).toMillis(),
					this.failure ? 1 : 0));
		}

		@Override
		public void tell(TaskEvents events, TaskFacts facts, @Nullable Throwable cause) {
			if (this.failure) {
				events.tell(new TaskEvent.Failed(facts, this.error, cause));
			}
			events.tell(new TaskEvent.Retried(facts, this.error, this.due.delay(), this.failure));
		}

	}

	/** Failed for good, and always counted as a failure. */
	record Archive(LeasedTask task, String error, ArchiveReason reason) implements Outcome {

		public Archive(LeasedTask task, String error) {
			this(task, error, ArchiveReason.RETRIES_EXHAUSTED);
		}

		@Override
		public Kind kind() {
			return Kind.ARCHIVE;
		}

		public TaskMessage stored(Instant now) {
			return message().failed(this.error, now).build();
		}

		@Override
		public void addTo(List<Object> args, Instant now, long nanoTime) {
			args.add(TaskMessageCodec.encode(stored(now)));
		}

		@Override
		public void tell(TaskEvents events, TaskFacts facts, @Nullable Throwable cause) {
			events.tell(new TaskEvent.Failed(facts, this.error, cause));
			events.tellArchived(facts, this.error, cause, this.reason);
		}

	}

	/** Not run, and not counted; due times are rounded up to whole seconds. */
	record Postpone(LeasedTask task, Due due) implements Outcome {

		@Override
		public Kind kind() {
			return Kind.POSTPONE;
		}

		@Override
		public void addTo(List<Object> args, Instant now, long nanoTime) {
			args.add(this.due.left(nanoTime).toMillis());
		}

		@Override
		public void tell(TaskEvents events, TaskFacts facts, @Nullable Throwable error) {
			events.tell(new TaskEvent.Postponed(facts, this.due.delay()));
		}

	}

	/** Not run for want of a token, and not counted; tried again by itself when due. */
	record Wait(LeasedTask task, LimitClass needs, Due due) implements Outcome {

		@Override
		public Kind kind() {
			return Kind.WAIT;
		}

		@Override
		public void addTo(List<Object> args, Instant now, long nanoTime) {
			args.addAll(List.of(this.needs.needs(), this.due.left(nanoTime).toMillis()));
		}

	}

	/**
	 * Not run for want of a handler, and not counted: put off by as long as it has
	 * waited, but left for the caller to archive beyond {@code maxAge}.
	 */
	record Unhandled(LeasedTask task, String error, Duration longest, Duration maxAge) implements Outcome {

		@Override
		public Kind kind() {
			return Kind.UNHANDLED;
		}

		public TaskMessage stored(Instant now) {
			return message().failed(this.error, now).build();
		}

		@Override
		public void addTo(List<Object> args, Instant now, long nanoTime) {
			args.addAll(List.of(TaskMessageCodec.encode(stored(now)), message().type(), this.longest.toSeconds(),
					this.maxAge.toSeconds()));
		}

		public Archive overdue() {
			String text = "asynq: no server had a handler for type \"" + message().type() + "\" within " + this.maxAge
					+ " (asynq.server.unknown-types-max-age)";
			return new Archive(this.task, text, ArchiveReason.NO_HANDLER);
		}

	}

	/** Back to the front of its queue in the order of the call, and not counted. */
	record Requeue(LeasedTask task) implements Outcome {

		@Override
		public Kind kind() {
			return Kind.REQUEUE;
		}

		@Override
		public void addTo(List<Object> args, Instant now, long nanoTime) {
			// Nothing but its id and fence
		}

	}

	/** Outcomes of a kind are written together, by one script for each queue. */
	enum Kind {

		DONE(LuaScript.DONE, LuaScript.DONE_SEVERAL, List.of()),

		COMPLETED(LuaScript.COMPLETE, LuaScript.COMPLETE_SEVERAL, List.of(Keys::completed)),

		RETRY(LuaScript.RETRY, LuaScript.RETRY_SEVERAL, List.of(Keys::retry)),

		ARCHIVE(LuaScript.ARCHIVE, LuaScript.ARCHIVE_SEVERAL, List.of(Keys::archived)),

		POSTPONE(LuaScript.POSTPONE, LuaScript.POSTPONE_SEVERAL, List.of(Keys::retry)),

		WAIT(LuaScript.WAIT, LuaScript.WAIT_SEVERAL, List.of(Keys::retry, Keys::waiting)),

		UNHANDLED(LuaScript.UNHANDLED, LuaScript.UNHANDLED_SEVERAL, List.of(Keys::retry, Keys::unhandled)),

		REQUEUE(LuaScript.REQUEUE, LuaScript.REQUEUE_SEVERAL, List.of(Keys::pending));

		private final LuaScript script;

		private final LuaScript several;

		private final List<Function<Keys, String>> containers;

		Kind(LuaScript script, LuaScript several, List<Function<Keys, String>> containers) {
			this.script = script;
			this.several = several;
			this.containers = containers;
		}

		LuaScript script() {
			return this.script;
		}

		/** For several queues in one call. */
		LuaScript several() {
			return this.several;
		}

		/** Else it only puts the task back or off, which counts in no statistics. */
		boolean endsRun() {
			return compareTo(ARCHIVE) <= 0;
		}

		List<String> keys(Keys keys) {
			List<String> all = new ArrayList<>(List.of(keys.active(), keys.lease()));
			this.containers.forEach((container) -> all.add(container.apply(keys)));
			if (endsRun()) {
				all.add(keys.processedTotal());
			}
			if (this == RETRY || this == ARCHIVE) {
				all.add(keys.failedTotal());
			}
			return all;
		}

		/** What the script is told once. */
		List<Object> args(Keys keys, ScriptTime time) {
			List<Object> args = endsRun() ? new Statistics(keys, time).args()
					: new ArrayList<>(List.of(keys.taskPrefix(), time.argument()));
			if (this == ARCHIVE) {
				args.addAll(Statistics.archiveLimits());
			}
			return args;
		}

		TaskOutcome observed(@Nullable Throwable error) {
			return switch (this) {
				case DONE, COMPLETED -> (error != null) ? TaskOutcome.REVOKED : TaskOutcome.SUCCEEDED;
				case RETRY -> (error instanceof TaskDeadlineExceededException) ? TaskOutcome.DEADLINE
						: (error instanceof TaskCanceledException) ? TaskOutcome.CANCELLED : TaskOutcome.RETRIED;
				// Whether it was over its deadline is in the error
				case ARCHIVE -> TaskOutcome.ARCHIVED;
				case POSTPONE, WAIT, UNHANDLED -> TaskOutcome.POSTPONED;
				case REQUEUE -> TaskOutcome.REQUEUED;
			};
		}

	}

}
