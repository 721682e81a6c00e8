package io.asynq.benchmarks.report;

import java.util.List;

/**
 * The values of one contender in the rounds of a comparison.
 *
 * @param name the comparison
 * @param contender the contender
 * @param unit the unit of the values
 * @param tasks the number of tasks of a round
 * @param rounds one value per round, in order
 */
public record Figure(String name, String contender, String unit, int tasks, List<Double> rounds) {

	public Spread spread() {
		return Spread.of(this.rounds);
	}

}
