package io.asynq.benchmarks.report;

import java.util.Locale;

/** More is always better: where less is better, the ratio is limit over measurement. */
public record Result(String name, Spread ratio, double target) {

	public boolean ok() {
		return this.ratio.median() >= this.target;
	}

	public String line() {
		return String.format(Locale.ROOT, "RESULT %s ratio=%.3f target=%.2f %s", this.name, this.ratio.median(),
				this.target, ok() ? "ok" : "short");
	}

}
