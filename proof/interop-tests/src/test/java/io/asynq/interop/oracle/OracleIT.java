package io.asynq.interop.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.asynq.interop.peer.GoBinary;
import io.asynq.test.process.Repository;
import io.asynq.test.process.RequiresGo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Go and Java do the same on two databases, and the databases stay the same.
 */
@RequiresGo
class OracleIT {

	private static OracleRuns runs;

	@BeforeAll
	static void run() {
		runs = new OracleRuns(Script.chapters("script.jsonl"), Script.lines("mended.txt"));
	}

	@AfterAll
	static void close() {
		runs.close();
	}

	static List<GoVersion> versions() {
		return GoVersion.tested();
	}

	@ParameterizedTest
	@MethodSource("versions")
	void bothLeaveSameState(GoVersion version) {
		List<OracleRun> chapters = runs.of(version);
		assertThat(chapters).flatExtracting(OracleRun::unexplained)
			.as("Differences that are not listed as mended")
			.isEmpty();
		assertThat(chapters.get(0).unusedRules()).as("Mended differences that do not exist").isEmpty();
		assertThat(chapters).flatExtracting((run) -> run.goStates().keySet()).as("Steps").hasSizeGreaterThan(260);
	}

	@ParameterizedTest
	@ValueSource(strings = { "asynq:queues/\\w+", "asynq:\\{\\w+}:pending", "asynq:\\{\\w+}:active",
			"asynq:\\{\\w+}:lease/\\w+", "asynq:\\{\\w+}:scheduled/\\w+", "asynq:\\{\\w+}:retry/\\w+",
			"asynq:\\{\\w+}:archived/\\w+", "asynq:\\{\\w+}:completed/\\w+", "asynq:\\{\\w+}:groups/\\w+",
			"asynq:\\{\\w+}:g:\\w+/\\w+", "asynq:\\{\\w+}:g:\\w+:<uuid>/\\w+", "asynq:\\{\\w+}:aggregation_sets/.+",
			"asynq:\\{\\w+}:unique:.*", "asynq:\\{\\w+}:paused", "asynq:\\{\\w+}:processed", "asynq:\\{\\w+}:failed",
			"asynq:\\{\\w+}:processed:<day>", "asynq:\\{\\w+}:failed:<day>", "asynq:\\{\\w+}:t:\\w+/result",
			"asynq:servers/.+", "asynq:servers:.+", "asynq:workers/.+", "asynq:workers:.+", "asynq:schedulers/.+",
			"asynq:schedulers:.+", "asynq:scheduler_history:.+" })
	void scriptCoversEveryContainerAndCounter(String path) {
		assertThat(runs.of(GoVersion.V0_26_0)).flatExtracting((run) -> run.goStates().values())
			.anySatisfy((state) -> assertThat(state.keySet()).anyMatch((key) -> key.matches(path)));
	}

	@Test
	@Tag("full")
	void versionsOfGoDifferAsDocumented() throws IOException {
		List<String> found = new ArrayList<>();
		GoVersion[] versions = GoVersion.values();
		assumeThat(GoVersion.tested()).containsExactly(versions);
		for (int newer = 1; newer < versions.length; newer++) {
			List<OracleRun> before = runs.of(versions[newer - 1]);
			List<OracleRun> after = runs.of(versions[newer]);
			for (int chapter = 0; chapter < after.size(); chapter++) {
				found.addAll(VersionDifferences.rows(before.get(chapter), after.get(chapter)));
			}
		}
		Files.write(GoBinary.target().resolve("go-versions.md"), found);
		Path documented = Repository.path("docs/go-versions.md");
		assertThat(Files.readAllLines(documented).stream().filter((line) -> line.matches("\\| \\d.*")))
			.as("What " + documented + " says")
			.containsExactlyInAnyOrderElementsOf(found);
	}

}
