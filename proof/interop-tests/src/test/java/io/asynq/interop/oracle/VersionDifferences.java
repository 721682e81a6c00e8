package io.asynq.interop.oracle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What two versions of Go's library leave behind differently after the same operations.
 */
final class VersionDifferences {

	private static final Pattern FIELD = Pattern.compile("(asynq:\\{\\w+}:t:[^/]+)/.*");

	private VersionDifferences() {
	}

	/**
	 * Compares two runs by the effect of each step, regardless of times.
	 * @return rows of a Markdown table
	 */
	static List<String> rows(OracleRun older, OracleRun newer) {
		List<String> rows = new ArrayList<>();
		String versions = older.version().number() + " → " + newer.version().number();
		Map<String, Difference> before = Map.of();
		SortedMap<String, Cell> latest = new TreeMap<>();
		for (Map.Entry<Step, SortedMap<String, Cell>> state : newer.goStates().entrySet()) {
			Step step = state.getKey();
			SortedMap<String, Cell> old = older.goStates().get(step);
			if (old == null) {
				rows.add("| %s | %s | | cannot be done | can be done |".formatted(versions, step));
			}
			else {
				latest = old;
			}
			List<Difference> differences = Difference.timeless(latest, state.getValue());
			if (old != null) {
				Difference.newOf(differences, before)
					.stream()
					.map((difference) -> ofTask(difference, old, state.getValue()))
					.distinct()
					.forEach((difference) -> rows.add("| %s | %s | `%s` | %s | %s |".formatted(versions, step,
							difference.path(), text(difference.first()), text(difference.second()))));
			}
			before = new HashMap<>();
			for (Difference difference : differences) {
				before.put(difference.path(), difference);
			}
		}
		return rows;
	}

	/**
	 * A task that only one has is one difference, not one for each field.
	 */
	private static Difference ofTask(Difference difference, SortedMap<String, Cell> older,
			SortedMap<String, Cell> newer) {
		Matcher field = FIELD.matcher(difference.path());
		if (!field.matches() || has(older, field.group(1)) && has(newer, field.group(1))) {
			return difference;
		}
		Cell task = new Cell.Text("a task");
		return new Difference(field.group(1), has(older, field.group(1)) ? task : null,
				has(newer, field.group(1)) ? task : null);
	}

	private static boolean has(SortedMap<String, Cell> state, String task) {
		return !state.subMap(task + "/", task + "0").isEmpty();
	}

	private static String text(@Nullable Cell cell) {
		if (cell == null) {
			return "nothing";
		}
		return (cell instanceof Cell.Time) ? "a time" : "`" + cell + "`";
	}

}
