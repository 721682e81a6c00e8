package io.asynq.benchmarks.report;

import java.util.List;

import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/** Median, minimum and maximum of several rounds. */
public record Spread(double median, double min, double max) {

	public static Spread of(List<Double> values) {
		DescriptiveStatistics statistics = new DescriptiveStatistics();
		values.forEach(statistics::addValue);
		return new Spread(statistics.getPercentile(50), statistics.getMin(), statistics.getMax());
	}

	public static double percentile(List<Double> values, double percentile) {
		DescriptiveStatistics statistics = new DescriptiveStatistics();
		values.forEach(statistics::addValue);
		return statistics.getPercentile(percentile);
	}

}
