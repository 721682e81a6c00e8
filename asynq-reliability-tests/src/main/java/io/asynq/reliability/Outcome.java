package io.asynq.reliability;

import io.asynq.reliability.check.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * What came out of one fault.
 *
 * @param fault its name
 * @param injected how often harm was done
 * @param verdict the verdict, {@code null} if the run failed
 * @param seconds how long it took
 * @param error why the run failed, {@code null} if it came to its end
 * @param longestScript for how many milliseconds a script has held Redis up, 0 if none
 * was long or it is not known
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
