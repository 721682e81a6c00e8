package io.asynq.reliability;

import io.asynq.reliability.check.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * The result of one fault.
 *
 * @param fault its name
 * @param injected how often it was injected
 * @param verdict the verdict, {@code null} if the run failed
 * @param seconds how long it took
 * @param error why the run failed, {@code null} if it was completed
 * @param longestScript for how many milliseconds a script blocked Redis, 0 if none did
 * for long or it is not known
 */
record Outcome(String fault, int injected, @Nullable Verdict verdict, long seconds, @Nullable String error,
		long longestScript) {

	Outcome(String fault, int injected, Verdict verdict, long seconds) {
		this(fault, injected, verdict, seconds, null);
	}

	Outcome(String fault, int injected, @Nullable Verdict verdict, long seconds, @Nullable String error) {
		this(fault, injected, verdict, seconds, error, 0);
	}

	Outcome longestScript(long millis) {
		return new Outcome(this.fault, this.injected, this.verdict, this.seconds, this.error, millis);
	}

	boolean passed() {
		return this.verdict != null && this.verdict.passed();
	}

}
