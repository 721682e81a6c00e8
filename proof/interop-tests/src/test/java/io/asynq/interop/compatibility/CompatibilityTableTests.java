package io.asynq.interop.compatibility;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.asynq.test.process.Repository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table names every feature and the tests that prove it.
 */
class CompatibilityTableTests {

	private static final Path REPOSITORY = Repository.path("");

	private static final Path DOCUMENT = REPOSITORY.resolve("docs").resolve("compatibility.md");

	private static final List<String> GOOD = List.of("# A page", "| id | behaviour | status | test |",
			"|---|---|---|---|", "| A01 | `a \\| b` | same | `FirstTests#works` |", "",
			"| A02 | two | mended: no leak | `FirstTests`, `SecondIT#works` |", "Some words",
			"| Q09 | three | later | |", "| E04 | four | not applicable: Java has no pointers | |");

	private final CompatibilityTable table = new CompatibilityTable(Set.of("A01", "A02", "E04", "Q09"),
			Set.of("FirstTests", "FirstTests#works", "SecondIT#works")::contains);

	@Test
	void acceptsGoodTable() {
		assertThat(this.table.problems(GOOD)).isEmpty();
	}

	@Test
	void detectsMissingRow() {
		assertThat(this.table.problems(GOOD.subList(0, 6))).containsExactly("E04 has no row", "Q09 has no row");
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', textBlock = """
			| A01 | again | same | `FirstTests` |           ; A01 has two rows
			| A09 | more | same | `FirstTests` |            ; A09 is not a feature
			| A01 | one | same |                            ; A01 has 3 cells instead of 4
			| A01 | one | same | `FirstTests` | more |      ; A01 has 5 cells instead of 4
			""")
	void detectsUnknownRows(String row, String problem) {
		List<String> lines = new ArrayList<>(GOOD);
		lines.add(row);
		assertThat(this.table.problems(lines)).containsExactly(problem);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', textBlock = """
			| A01 | one | alike | `FirstTests` |            ; A01 has an unknown status: alike
			| A01 | one | sameish | `FirstTests` |          ; A01 has an unknown status: sameish
			| A01 | one | | `FirstTests` |                  ; A01 has an unknown status:
			| A01 | | same | `FirstTests` |                 ; A01 does not say what the behaviour is
			| A01 | one | same | |                          ; A01 is same, but no test proves it
			| A01 | one | mended: why | |                   ; A01 is mended, but no test proves it
			| A01 | one | mended | `FirstTests` |           ; A01 is mended without a reason
			| A01 | one | mended: … | `FirstTests` |        ; A01 is mended without a reason
			| A01 | one | not applicable | |                ; A01 is not applicable without a reason
			| A01 | one | later | |                         ; A01 must not come later
			| A01 | one | same | `FirstTests#none` |        ; A01 names a test that does not exist: FirstTests#none
			| A01 | one | same | `FirstTests` and `None` |  ; A01 names a test that does not exist: None
			""")
	void detectsInvalidRow(String row, String problem) {
		List<String> lines = new ArrayList<>(GOOD);
		lines.set(3, row);
		assertThat(this.table.problems(lines)).map(String::trim).containsExactly(problem);
	}

	@Test
	void knowsAllFeatures() {
		assertThat(FeatureIds.all()).hasSize(227)
			.contains("A01", "C22", "P00", "P25", "S07")
			.doesNotContain("P26", "S08");
	}

	@Test
	void onlyToolsMayBePlanned() {
		assertThat(FeatureIds.all().stream().filter(FeatureIds::mayComeLater)).hasSize(27)
			.allMatch((id) -> id.startsWith("P") || id.equals("Q09"));
	}

	@ParameterizedTest
	@CsvSource({ "CompatibilityTableTests, true", "CompatibilityTableTests#knowsAllFeatures, true",
			"CompatibilityTableTests#detectsInvalidRow, true", "CompatibilityTableTests#table, false",
			"CompatibilityTableTests#none, false", "NoSuchTests, false", "CompatibilityTable, false",
			"OptionTextsTests#writesEveryOptionAsGoDoes, true", "OptionTextsTests#readsEveryOptionThatGoWrites, true",
			"EnqueueContract#takenIdChangesNothing, true", "TestRedis, false" })
	void findsTestsInAllModules(String test, boolean exists) {
		assertThat(new TestSources(REPOSITORY).exists(test)).isEqualTo(exists);
	}

	@Test
	void documentedTableIsValid() throws IOException {
		CompatibilityTable documented = new CompatibilityTable(FeatureIds.all(), new TestSources(REPOSITORY)::exists);
		assertThat(documented.problems(Files.readAllLines(DOCUMENT))).isEmpty();
	}

}
