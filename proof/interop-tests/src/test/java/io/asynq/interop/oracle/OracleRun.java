package io.asynq.interop.oracle;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A chapter of the script, executed by both sides at the same time, step by step.
 */
final class OracleRun {

	private final Map<Step, SortedMap<String, Cell>> goStates = new LinkedHashMap<>();

	private final List<String> unexplained = new ArrayList<>();

	private final GoVersion version;

	private final Side go;

	private final Side java;

	private final Mended mended;

	OracleRun(GoVersion version, Side go, Side java, Mended mended) {
		this.version = version;
		this.go = go;
		this.java = java;
		this.mended = mended;
	}

	void perform(List<Step> chapter, Executor executor) {
		Instant start = Clock.systemUTC().instant();
		Map<String, Difference> before = Map.of();
		for (Step step : chapter) {
			if (step.runsOn(this.version)) {
				before = perform(step, start, before, executor);
			}
		}
	}

	GoVersion version() {
		return this.version;
	}

	/**
	 * Returns the differences that no rule permits, one line each.
	 */
	List<String> unexplained() {
		return this.unexplained;
	}

	/**
	 * Returns the rules that no chapter has needed so far.
	 */
	List<String> unusedRules() {
		return this.mended.unused(this.version);
	}

	/**
	 * Returns the values of Go's database by path, after each step.
	 */
	Map<Step, SortedMap<String, Cell>> goStates() {
		return this.goStates;
	}

	private Map<String, Difference> perform(Step step, Instant start, Map<String, Difference> before,
			Executor executor) {
		CompletableFuture<SortedMap<String, Cell>> other = CompletableFuture
			.supplyAsync(() -> this.go.perform(step, start), executor);
		SortedMap<String, Cell> java = this.java.perform(step, start);
		SortedMap<String, Cell> go = other.join();
		java.putAll(this.java.database().snapshot(start));
		go.putAll(this.go.database().snapshot(start));
		this.goStates.put(step, go);
		List<Difference> differences = Difference.between(go, java);
		for (Difference difference : Difference.newOf(differences, before)) {
			if (!this.mended.allows(step, difference.path(), this.version)) {
				this.unexplained.add("Step '%s', %s: Go has %s, Java %s".formatted(step, difference.path(),
						difference.first(), difference.second()));
			}
		}
		Map<String, Difference> after = new HashMap<>();
		differences.forEach((difference) -> after.put(difference.path(), difference));
		return after;
	}

}
