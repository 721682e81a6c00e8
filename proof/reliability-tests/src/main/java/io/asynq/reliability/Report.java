package io.asynq.reliability;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.asynq.reliability.check.Finding;
import io.asynq.reliability.check.Verdict;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Prints the results as text and writes them as JSON. */
final class Report {

	/** More of the same tells nothing new; the file has all. */
	private static final int SHOWN = 20;

	private static final String ROW = "| %-20s | %8s | %8s | %8s | %5s | %5s | %9s | %11s | %8s | %8s | %8s | %6s | %9s |%n";

	private static final Object[] EMPTY = { "", "", "", "", "", "", "", "", "", "", "", "", "" };

	private final PrintStream out;

	private final List<Outcome> outcomes = new ArrayList<>();

	Report(PrintStream out) {
		this.out = out;
	}

	synchronized void add(Outcome outcome) {
		this.outcomes.add(outcome);
		Verdict verdict = outcome.verdict();
		if (verdict == null) {
			this.out.printf("%s FAILED after %d s: %s%n", outcome.fault(), outcome.seconds(), outcome.error());
			return;
		}
		this.out.printf("%s %s after %d s, %d tasks, %d runs%n", outcome.fault(),
				outcome.passed() ? "passed" : "VIOLATED", outcome.seconds(), verdict.tasks(), verdict.runs());
		findings(verdict);
	}

	private void findings(Verdict verdict) {
		verdict.findings().stream().limit(SHOWN).forEach((finding) -> this.out.println("  " + finding));
		if (verdict.findings().size() > SHOWN) {
			this.out.println("  … and " + (verdict.findings().size() - SHOWN) + " more");
		}
	}

	synchronized boolean passed() {
		return this.outcomes.stream().allMatch(Outcome::passed);
	}

	synchronized void finish(Path file, Map<String, Object> environment, List<String> order) {
		this.outcomes.sort((a, b) -> order.indexOf(a.fault()) - order.indexOf(b.fault()));
		this.out.println();
		this.out.printf(Locale.ROOT, ROW, "fault", "injected", "tasks", "runs", "lost", "stuck", "explained",
				"unexplained", "poisoned", "by Redis", "resume s", "others", "script ms");
		this.out.println(String.format(Locale.ROOT, ROW, EMPTY).stripTrailing().replace(' ', '-'));
		this.outcomes.forEach(this::row);
		this.outcomes.stream().filter((outcome) -> !outcome.passed()).forEach(this::failure);
		Map<String, Object> json = new LinkedHashMap<>(environment);
		json.put("faults", this.outcomes.stream().map(Report::json).toList());
		JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValue(file, json);
	}

	/** Repeats it where the reader of a long log looks. */
	private void failure(Outcome outcome) {
		Verdict verdict = outcome.verdict();
		this.out.printf("%s failed: %s%n", outcome.fault(),
				(verdict == null) ? outcome.error() : verdict.findings().size() + " findings");
		if (verdict != null) {
			findings(verdict);
		}
	}

	private void row(Outcome outcome) {
		Verdict verdict = outcome.verdict();
		if (verdict == null) {
			this.out.printf(Locale.ROOT, ROW, outcome.fault(), outcome.injected(), "failed", "", "", "", "", "", "", "",
					"", "", "");
			return;
		}
		this.out.printf(Locale.ROOT, ROW, outcome.fault(), outcome.injected(), verdict.tasks(), verdict.runs(),
				verdict.lost(), verdict.stuck(), verdict.doubledExplained(), verdict.doubledUnexplained(),
				verdict.archivedByCrashes(), verdict.lostByRedis(),
				String.format(Locale.ROOT, "%.1f", verdict.resume().toMillis() / 1000.0), others(verdict),
				outcome.longestScript());
	}

	private static long others(Verdict verdict) {
		return verdict.findings().size() - verdict.lost() - verdict.stuck() - verdict.doubledUnexplained();
	}

	private static Map<String, Object> json(Outcome outcome) {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("fault", outcome.fault());
		json.put("passed", outcome.passed());
		json.put("injected", outcome.injected());
		json.put("seconds", outcome.seconds());
		json.put("longestScriptMillis", outcome.longestScript());
		Verdict verdict = outcome.verdict();
		if (verdict == null) {
			json.put("error", outcome.error());
			return json;
		}
		json.put("tasks", verdict.tasks());
		json.put("runs", verdict.runs());
		json.put("lost", verdict.lost());
		json.put("stuck", verdict.stuck());
		json.put("doubledExplained", verdict.explained());
		json.put("doubledUnexplained", verdict.doubledUnexplained());
		json.put("archivedByCrashes", verdict.archivedByCrashes());
		json.put("lostByRedis", verdict.lostByRedis());
		json.put("resumeMillis", verdict.resume().toMillis());
		json.put("findings", verdict.findings().stream().map(Finding::toString).toList());
		return json;
	}

}
