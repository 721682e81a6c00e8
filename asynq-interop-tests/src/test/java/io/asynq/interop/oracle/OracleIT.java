package io.asynq.interop.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.asynq.interop.peer.GoBinary;
import io.asynq.interop.peer.RequiresGo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Go and Java do the same on two databases, and the databases stay the same.
 */
@RequiresGo
class OracleIT {

	private static OracleRuns runs;

	@BeforeAll
	static void run() {
		runs = new OracleRuns(Script.read("script.jsonl"), Script.lines("mended.txt"));
	}

	@AfterAll
	static void close() {
		runs.close();
	}

	@ParameterizedTest
	@EnumSource
	void bothLeaveTheSameBehind(GoVersion version) {
		OracleRun run = runs.of(version);
		assertThat(run.unexplained()).as("Differences that are not listed as mended").isEmpty();
		assertThat(run.unusedRules()).as("Mended differences that do not exist").isEmpty();
		assertThat(run.goStates()).as("Steps").hasSizeGreaterThan(60);
	}

	@Test
	void theVersionsOfGoDifferAsDocumented() throws IOException {
		List<String> found = new ArrayList<>();
		GoVersion[] versions = GoVersion.values();
		for (int newer = 1; newer < versions.length; newer++) {
			found.addAll(VersionDifferences.rows(runs.of(versions[newer - 1]), runs.of(versions[newer])));
		}
		Files.write(GoBinary.target().resolve("go-versions.md"), found);
		Path documented = GoBinary.module().resolveSibling("docs").resolve("go-versions.md");
		assertThat(Files.readAllLines(documented).stream().filter((line) -> line.matches("\\| \\d.*")))
			.as("What " + documented + " says")
			.containsExactlyInAnyOrderElementsOf(found);
	}

}
