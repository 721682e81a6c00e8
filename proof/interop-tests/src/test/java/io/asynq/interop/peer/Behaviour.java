package io.asynq.interop.peer;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What a handler does with the tasks of one type, the same on both sides.
 *
 * @param action what it does
 * @param times how many attempts do so before one succeeds, 0 for all
 * @param message the text of the error
 * @param result written first, {@code null} for nothing
 * @param duration how long an attempt takes at least
 */
public record Behaviour(Action action, int times, String message, byte @Nullable [] result, Duration duration) {

	public static Behaviour of(Action action) {
		return new Behaviour(action, 0, action.name().toLowerCase(Locale.ROOT), null, Duration.ZERO);
	}

	public static Behaviour fail(String message) {
		return new Behaviour(Action.FAIL, 0, message, null, Duration.ZERO);
	}

	public static Behaviour failTimes(int times, String message) {
		return new Behaviour(Action.FAIL, times, message, null, Duration.ZERO);
	}

	public static Behaviour takes(Duration duration) {
		return new Behaviour(Action.OK, 0, "", null, duration);
	}

	public Behaviour withResult(String result) {
		return new Behaviour(this.action, this.times, this.message, result.getBytes(StandardCharsets.UTF_8),
				this.duration);
	}

	/**
	 * What a handler may do.
	 */
	public enum Action {

		/** Succeeds. */
		OK,

		/** Fails. */
		FAIL,

		/** Fails and skips retries. */
		SKIP,

		/** Revokes the task. */
		REVOKE,

		/** Fails with an error that does not count as a failure. */
		POSTPONE,

		/** Waits until the attempt is ended from outside. */
		BLOCK,

		/** Waits until released, or until the attempt is ended from outside. */
		HOLD

	}

}
