package io.asynq.interop.compatibility;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One row of the table.
 *
 * @param id the feature
 * @param behaviour what it does
 * @param status how ours compares, and why
 * @param tests the tests that prove it, each as Class or Class#method
 */
record CompatibilityRow(String id, String behaviour, String status, List<String> tests) {

	private static final Pattern ID = Pattern.compile("[A-Z]\\d\\d");

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	private static final Pattern SEPARATOR = Pattern.compile("(?<!\\\\)\\|");

	/**
	 * Reads a line.
	 * @param line a line of Markdown
	 * @return the row, or nothing if the line is no row
	 * @throws IllegalArgumentException if it does not have four cells
	 */
	static Optional<CompatibilityRow> of(String line) {
		if (!line.startsWith("|")) {
			return Optional.empty();
		}
		String[] cells = SEPARATOR.split(line, -1);
		String id = cells[1].trim();
		if (!ID.matcher(id).matches()) {
			return Optional.empty();
		}
		if (cells.length != 6 || !cells[5].isBlank()) {
			throw new IllegalArgumentException(id + " has " + (cells.length - 2) + " cells instead of 4");
		}
		List<String> tests = new ArrayList<>();
		Matcher code = CODE.matcher(cells[4]);
		while (code.find()) {
			tests.add(code.group(1));
		}
		return Optional.of(new CompatibilityRow(id, cells[2].trim(), cells[3].trim(), tests));
	}

	/**
	 * Returns the words of the status that give a reason.
	 * @param word the status itself
	 * @return what follows it
	 */
	String reasonAfter(String word) {
		return this.status.substring(word.length()).replaceAll("[^\\p{L}]+", " ").trim();
	}

}
