package io.asynq.reliability;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.asynq.reliability.check.Finding;
import io.asynq.reliability.check.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ReportIT {

	@TempDir
	private Path folder;

	private final ByteArrayOutputStream said = new ByteArrayOutputStream();

	private final Report report = new Report(new PrintStream(this.said));

	@Test
	void passesWithoutFindings() {
		this.report.add(new Outcome("sigkill", 4, verdict(), 10));
		assertThat(this.report.passed()).isTrue();
	}

	@Test
	void failsWhenRunFailed() {
		this.report.add(new Outcome("sigkill", 0, null, 10, "a worker was not ready"));
		assertThat(this.report.passed()).isFalse();
		assertThat(this.said.toString()).contains("a worker was not ready");
	}

	@Test
	void printsEachFindingAndOneRowPerFaultInOrder() {
		this.report.add(new Outcome("sigstop", 1, verdict(), 10));
		this.report.add(new Outcome("sigkill", 4, verdict(new Finding("nothing-lost", "low/t7", "gone")), 10));
		this.report.finish(file(), Map.of("seed", 5), List.of("sigkill", "sigstop"));
		assertThat(this.report.passed()).isFalse();
		assertThat(this.said.toString()).contains("nothing-lost: low/t7: gone");
		assertThat(this.said.toString().lines().filter((line) -> line.startsWith("| sig"))).satisfiesExactly(
				(row) -> assertThat(row).matches("\\| sigkill +\\| +4 \\| +100 \\| +120 \\| +1 \\|.*"),
				(row) -> assertThat(row).matches("\\| sigstop +\\| +1 \\| +100 \\| +120 \\| +0 \\|.*"));
	}

	@Test
	void repeatsFailuresBelowTable() {
		this.report.add(new Outcome("none", 0, verdict(), 10));
		this.report.add(new Outcome("sigkill", 4, verdict(new Finding("nothing-lost", "low/t7", "gone")), 10));
		this.report.add(new Outcome("sigstop", 0, null, 10, "a worker was not ready"));
		this.report.finish(file(), Map.of("seed", 5), List.of("none", "sigkill", "sigstop"));
		assertThat(this.said.toString().lines().dropWhile((line) -> !line.startsWith("| sigstop")).skip(1))
			.containsExactly("sigkill failed: 1 findings", "  nothing-lost: low/t7: gone",
					"sigstop failed: a worker was not ready");
	}

	@Test
	void writesSeedAndFaultsAsJson() {
		this.report.add(new Outcome("sigkill", 4, verdict(new Finding("nothing-lost", "low/t7", "gone")), 10));
		this.report.finish(file(), Map.of("seed", 5), List.of("sigkill"));
		JsonNode json = new JsonMapper().readTree(file().toFile());
		assertThat(json.get("seed").asInt()).isEqualTo(5);
		JsonNode fault = json.get("faults").get(0);
		assertThat(fault.get("fault").asString()).isEqualTo("sigkill");
		assertThat(fault.get("passed").asBoolean()).isFalse();
		assertThat(fault.get("lost").asInt()).isEqualTo(1);
		assertThat(fault.get("resumeMillis").asInt()).isEqualTo(1500);
		assertThat(fault.get("findings").get(0).asString()).isEqualTo("nothing-lost: low/t7: gone");
	}

	private Path file() {
		return this.folder.resolve("reliability.json");
	}

	private static Verdict verdict(Finding... findings) {
		return new Verdict(100, 120, 0, 0, Map.of("sigkill", 2), Duration.ofMillis(1500), List.of(findings));
	}

}
