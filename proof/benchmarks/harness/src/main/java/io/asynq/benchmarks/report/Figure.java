package io.asynq.benchmarks.report;

import java.util.List;

/** The values of one contender in the rounds of a comparison. */
public record Figure(String name, String contender, String unit, int tasks, List<Double> rounds) {

	public Spread spread() {
		return Spread.of(this.rounds);
	}

}
