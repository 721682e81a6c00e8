package io.asynq.inspect;

import java.time.Duration;
import java.time.Instant;

import io.asynq.AsynqException;
import io.asynq.TaskInfo;
import io.asynq.internal.inspect.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * How tasks are run by hand, and which ones of a state: those that meet all conditions,
 * all if there is none. Immutable.
 */
public final class RunOptions {

	private static final RunOptions DEFAULTS = new RunOptions(false, new Conditions(null, null, null, null));

	private final boolean fresh;

	private final Conditions conditions;

	private RunOptions(boolean fresh, Conditions conditions) {
		this.fresh = fresh;
		this.conditions = conditions;
	}

	/**
	 * Returns options with which tasks keep their count of retries, as in Go: an archived
	 * task that has used them up gets one attempt.
	 */
	public static RunOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns options with which tasks get all their retries again: they count as never
	 * retried. Their last error is still shown.
	 */
	public static RunOptions freshRetries() {
		return new RunOptions(true, DEFAULTS.conditions);
	}

	/** Chooses tasks of one type, matched exactly. */
	public RunOptions type(String type) {
		Arguments.requireText("type", type);
		Conditions present = this.conditions;
		return with(new Conditions(type, present.error, present.failedFor, present.failedWithin));
	}

	/** Chooses tasks whose last error contains a text, in the same case. */
	public RunOptions errorContaining(String part) {
		Arguments.requireText("part", part);
		Conditions present = this.conditions;
		return with(new Conditions(present.type, part, present.failedFor, present.failedWithin));
	}

	/**
	 * Chooses tasks whose last failure is at least this long ago; those that have not
	 * failed are not chosen.
	 * @param age zero or more
	 */
	public RunOptions failedBefore(Duration age) {
		Conditions present = this.conditions;
		return with(new Conditions(present.type, present.error, requireAge(age), present.failedWithin));
	}

	/**
	 * Chooses tasks whose last failure is at most this long ago; those that have not
	 * failed are not chosen.
	 * @param age zero or more
	 */
	public RunOptions failedWithin(Duration age) {
		Conditions present = this.conditions;
		return with(new Conditions(present.type, present.error, present.failedFor, requireAge(age)));
	}

	public boolean isFresh() {
		return this.fresh;
	}

	/** Returns whether only some tasks are chosen. */
	public boolean hasConditions() {
		return !this.conditions.equals(DEFAULTS.conditions);
	}

	/**
	 * Returns whether a task meets all conditions, of which there may be none.
	 * @param now what ages are measured by
	 */
	public boolean chooses(TaskInfo task, Instant now) {
		return this.conditions.areMetBy(task, now);
	}

	private RunOptions with(Conditions changed) {
		return new RunOptions(this.fresh, changed);
	}

	private static Duration requireAge(Duration age) {
		Arguments.requireValue("age", age);
		if (age.isNegative()) {
			throw new AsynqException("Argument 'age' must not be negative, but is " + age);
		}
		return age;
	}

	private record Conditions(@Nullable String type, @Nullable String error, @Nullable Duration failedFor,
			@Nullable Duration failedWithin) {

		boolean areMetBy(TaskInfo task, Instant now) {
			if (this.type != null && !this.type.equals(task.type())) {
				return false;
			}
			String text = task.lastError();
			return (this.error == null || text != null && text.contains(this.error))
					&& isOfAge(task.lastFailedAt(), now);
		}

		private boolean isOfAge(@Nullable Instant failedAt, Instant now) {
			if (this.failedFor == null && this.failedWithin == null) {
				return true;
			}
			if (failedAt == null) {
				return false;
			}
			Duration age = Duration.between(failedAt, now);
			return (this.failedFor == null || age.compareTo(this.failedFor) >= 0)
					&& (this.failedWithin == null || age.compareTo(this.failedWithin) <= 0);
		}

	}

}
