package io.asynq.interop.compatibility;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Validates the table: rows | id | behaviour | status | test |, in one or several tables.
 */
final class CompatibilityTable {

	private static final List<String> STATUSES = List.of("same", "mended", "not applicable", "later");

	private final Set<String> ids;

	private final Predicate<String> tests;

	/**
	 * Creates a table.
	 * @param ids the ids that need a row
	 * @param tests whether there is a test, given as Class or Class#method
	 */
	CompatibilityTable(Set<String> ids, Predicate<String> tests) {
		this.ids = ids;
		this.tests = tests;
	}

	/**
	 * Reads the table.
	 * @param lines the lines of the file
	 * @return the mistakes, each naming its row
	 */
	List<String> problems(List<String> lines) {
		List<String> problems = new ArrayList<>();
		Set<String> seen = new HashSet<>();
		for (String line : lines) {
			try {
				Optional<CompatibilityRow> row = CompatibilityRow.of(line);
				if (row.isPresent()) {
					check(row.get(), seen, problems);
				}
			}
			catch (IllegalArgumentException ex) {
				problems.add(String.valueOf(ex.getMessage()));
			}
		}
		Set<String> missing = new TreeSet<>(this.ids);
		missing.removeAll(seen);
		missing.forEach((id) -> problems.add(id + " has no row"));
		return problems;
	}

	private void check(CompatibilityRow row, Set<String> seen, List<String> problems) {
		String id = row.id();
		if (!this.ids.contains(id)) {
			problems.add(id + " is not a feature");
		}
		if (!seen.add(id)) {
			problems.add(id + " has two rows");
		}
		if (row.behaviour().isBlank()) {
			problems.add(id + " does not say what the behaviour is");
		}
		row.tests()
			.stream()
			.filter(this.tests.negate())
			.forEach((test) -> problems.add(id + " names a test that does not exist: " + test));
		STATUSES.stream()
			.filter((status) -> row.status().matches(status + "\\b.*"))
			.findFirst()
			.ifPresentOrElse((status) -> check(row, status, problems),
					() -> problems.add(id + " has an unknown status: " + row.status()));
	}

	private static void check(CompatibilityRow row, String status, List<String> problems) {
		boolean proven = "same".equals(status) || "mended".equals(status);
		if (proven && row.tests().isEmpty()) {
			problems.add(row.id() + " is " + status + ", but no test proves it");
		}
		boolean explained = "mended".equals(status) || "not applicable".equals(status);
		if (explained && row.reasonAfter(status).isEmpty()) {
			problems.add(row.id() + " is " + status + " without a reason");
		}
		if ("later".equals(status) && !FeatureIds.mayComeLater(row.id())) {
			problems.add(row.id() + " must not come later");
		}
	}

}
