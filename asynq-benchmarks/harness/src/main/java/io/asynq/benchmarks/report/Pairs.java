package io.asynq.benchmarks.report;

import java.util.List;
import java.util.Locale;

import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;

/**
 * How one checkout compares with another, measured several times in alternation. Above 1
 * the present one is better.
 *
 * @param name what was measured
 * @param ratios one ratio for each pair, at least two
 */
public record Pairs(String name, List<Double> ratios) {

	private static final double TOLERANCE = 0.95;

	/**
	 * Returns the geometric mean with its 90 % confidence interval, by Student's t
	 * distribution of the logarithms.
	 */
	public Spread interval() {
		SummaryStatistics logarithms = new SummaryStatistics();
		this.ratios.forEach((ratio) -> logarithms.addValue(Math.log(ratio)));
		double t = new TDistribution(this.ratios.size() - 1).inverseCumulativeProbability(0.95);
		double half = t * logarithms.getStandardDeviation() / Math.sqrt(this.ratios.size());
		double mean = logarithms.getMean();
		return new Spread(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half));
	}

	/**
	 * Returns whether the interval lies below 0.95 as a whole.
	 */
	public boolean isWorse() {
		return interval().max() < TOLERANCE;
	}

	/**
	 * Returns the line that programs parse.
	 */
	public String line() {
		Spread interval = interval();
		return String.format(Locale.ROOT, "PAIRS %s ratio=%.3f interval=%.3f..%.3f pairs=%d %s", this.name,
				interval.median(), interval.min(), interval.max(), this.ratios.size(), isWorse() ? "worse" : "ok");
	}

}
