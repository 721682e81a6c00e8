package io.asynq.reliability;

import io.asynq.reliability.check.Verdict;
import org.jspecify.annotations.Nullable;

/** The result of one fault. */
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
