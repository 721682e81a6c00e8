package io.asynq.benchmarks.report;

import java.util.List;
import java.util.Locale;

import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;

/** Above 1 the present checkout is better than the other. */
public record Pairs(String name, List<Double> ratios) {

	private static final double TOLERANCE = 0.95;

	public Spread interval() {
		SummaryStatistics logarithms = new SummaryStatistics();
		this.ratios.forEach((ratio) -> logarithms.addValue(Math.log(ratio)));
		double t = new TDistribution(this.ratios.size() - 1).inverseCumulativeProbability(0.95);
		double half = t * logarithms.getStandardDeviation() / Math.sqrt(this.ratios.size());
		double mean = logarithms.getMean();
		return new Spread(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half));
	}

	public boolean isWorse() {
		return interval().max() < TOLERANCE;
	}

	public String line() {
		Spread interval = interval();
		return String.format(Locale.ROOT, "PAIRS %s ratio=%.3f interval=%.3f..%.3f pairs=%d %s", this.name,
				interval.median(), interval.min(), interval.max(), this.ratios.size(), isWorse() ? "worse" : "ok");
	}

}
