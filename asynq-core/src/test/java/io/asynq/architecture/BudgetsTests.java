package io.asynq.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.asynq.test.process.Repository;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Prints the size of each mechanism beside its budget in docs/architecture.md, so that
 * whoever makes one larger changes the budget, too, and says why.
 */
class BudgetsTests {

	private static final Pattern ROW = Pattern.compile("\\| ([^|]+) \\| ((?:`[^`]+`(?:, )?)+) \\| ([\\d,]+) \\|");

	private static final Pattern PLACE = Pattern.compile("`([^`]+)`");

	@Test
	void mechanismsKeepTheirBudgets() throws IOException {
		List<Budget> budgets = Files.readString(Repository.path("docs/architecture.md"))
			.lines()
			.map(ROW::matcher)
			.filter(Matcher::matches)
			.map((row) -> new Budget(row.group(1), PLACE.matcher(row.group(2)).results().map(this::path).toList(),
					Long.parseLong(row.group(3).replace(",", ""))))
			.toList();
		assertThat(budgets).hasSizeGreaterThan(10).allSatisfy((budget) -> assertThat(budget.lines()).isPositive());
		budgets.forEach((budget) -> System.out.printf("%-50s %,7d of %,7d lines%n", budget.mechanism(), budget.lines(),
				budget.most()));
		assertThat(budgets).allSatisfy(
				(budget) -> assertThat(budget.lines()).as(budget.mechanism()).isLessThanOrEqualTo(budget.most()));
	}

	/** A module, a package of the core, or a folder of scripts. */
	private Path path(MatchResult place) {
		String name = place.group(1);
		if (name.startsWith("asynq-") || name.startsWith("proof/")) {
			return Repository.path(name);
		}
		Path main = Repository.path("asynq-core/src/main");
		return name.startsWith("lua") ? main.resolve("resources/io/asynq").resolve(name)
				: main.resolve("java/io/asynq").resolve(name.equals("io.asynq") ? "" : name.replace('.', '/'));
	}

	private record Budget(String mechanism, List<Path> places, long most) {

		long lines() {
			return this.places.stream().mapToLong(Budget::lines).sum();
		}

		private static long lines(Path place) {
			boolean module = Files.exists(place.resolve("src/main"))
					|| place.getFileName().toString().startsWith("asynq-");
			try (Stream<Path> files = module ? Files.walk(place.resolve("src/main")) : Files.list(place)) {
				return files.filter((file) -> file.toString().endsWith(".java") || file.toString().endsWith(".lua"))
					.mapToLong(Budget::count)
					.sum();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private static long count(Path file) {
			try (Stream<String> lines = Files.lines(file)) {
				return lines.count();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
