package io.asynq.benchmarks.report;

import java.util.List;

/**
 * What one contender reached in the rounds of a comparison.
 *
 * @param name of the comparison
 * @param contender who
 * @param unit of the values
 * @param tasks how many tasks a round had
 * @param rounds one value per round, in order
 */
public record Figure(String name, String contender, String unit, int tasks, List<Double> rounds) {

	public Spread spread() {
		return Spread.of(this.rounds);
	}

}
