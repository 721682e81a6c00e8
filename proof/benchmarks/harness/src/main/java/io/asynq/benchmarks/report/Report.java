package io.asynq.benchmarks.report;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Prints figures as they come, and writes all of them at the end. */
public final class Report {

	private final PrintStream out;

	private final long start = System.nanoTime();

	private final List<Figure> figures = new ArrayList<>();

	private final List<Result> results = new ArrayList<>();

	private final List<Pairs> pairs = new ArrayList<>();

	private final List<String> errors = new ArrayList<>();

	private final List<String> failures = new ArrayList<>();

	public Report(PrintStream out) {
		this.out = out;
	}

	public void heading(String text) {
		this.out.println();
		this.out.printf(Locale.ROOT, "== %s (after %d s)%n", text, (System.nanoTime() - this.start) / 1_000_000_000);
	}

	public void note(String text) {
		this.out.println("   " + text);
	}

	public void figure(Figure figure) {
		this.figures.add(figure);
		Spread spread = figure.spread();
		this.out.printf(Locale.ROOT, "   %-34s %14s %-14s (%s to %s, %d rounds%s)%n", figure.contender(),
				text(spread.median()), figure.unit(), text(spread.min()), text(spread.max()), figure.rounds().size(),
				(figure.tasks() > 0) ? " of " + figure.tasks() : "");
	}

	/** Round by round, because neighbours in time share disturbances of the machine. */
	public void ratio(String name, Figure ours, Figure theirs, double target) {
		List<Double> ratios = new ArrayList<>();
		for (int i = 0; i < ours.rounds().size(); i++) {
			ratios.add(ours.rounds().get(i) / theirs.rounds().get(i));
		}
		result(new Result(name, Spread.of(ratios), target));
	}

	/** Adds the ratio of a limit to a figure, which is above 1 below the limit. */
	public void limit(String name, Figure figure, double limit) {
		result(new Result(name, Spread.of(figure.rounds().stream().map((value) -> limit / value).toList()), 1));
	}

	public void pairs(Pairs pairs) {
		this.pairs.add(pairs);
	}

	public void result(Result result) {
		this.results.add(result);
		this.out.printf(Locale.ROOT, "   ratio %-28s %14.3f                (%.3f to %.3f), target %.2f%n",
				result.name(), result.ratio().median(), result.ratio().min(), result.ratio().max(), result.target());
	}

	public void error(String text) {
		this.errors.add(text);
		this.out.println("   NOT EXACT: " + text);
	}

	public void failure(String measure, RuntimeException ex) {
		this.failures.add(measure + ": " + ex);
		this.out.println("   FAILED: " + measure + ": " + ex);
	}

	public boolean exact() {
		return this.errors.isEmpty();
	}

	public boolean failed() {
		return !this.failures.isEmpty();
	}

	public void finish(Path file, Map<String, Object> environment) {
		this.out.println();
		this.results.forEach((result) -> this.out.println(result.line()));
		this.pairs.forEach((each) -> this.out.println(each.line()));
		Map<String, Object> all = new LinkedHashMap<>(environment);
		all.put("exact", exact());
		all.put("errors", this.errors);
		all.put("failures", this.failures);
		all.put("figures", this.figures);
		all.put("results", this.results);
		all.put("pairs", this.pairs);
		JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValue(file.toFile(), all);
		this.out.println();
		this.out.println("Written to " + file);
	}

	private static String text(double value) {
		return String.format(Locale.ROOT, (value >= 1000) ? "%,.0f" : (value >= 10) ? "%.1f" : "%.3f", value);
	}

}
