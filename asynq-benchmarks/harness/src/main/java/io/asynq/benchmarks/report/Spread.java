package io.asynq.benchmarks.report;

import java.util.List;

import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/**
 * Median, minimum and maximum of several rounds.
 *
 * @param median the median
 * @param min the minimum
 * @param max the maximum
 */
public record Spread(double median, double min, double max) {

	/**
	 * Computes a spread.
	 * @param values one value per round
	 * @return the spread
	 */
	public static Spread of(List<Double> values) {
		DescriptiveStatistics statistics = new DescriptiveStatistics();
		values.forEach(statistics::addValue);
		return new Spread(statistics.getPercentile(50), statistics.getMin(), statistics.getMax());
	}

	/**
	 * Returns a percentile.
	 * @param values values, at least one
	 * @param percentile above 0, up to 100
	 * @return its estimate
	 */
	public static double percentile(List<Double> values, double percentile) {
		DescriptiveStatistics statistics = new DescriptiveStatistics();
		values.forEach(statistics::addValue);
		return statistics.getPercentile(percentile);
	}

}
