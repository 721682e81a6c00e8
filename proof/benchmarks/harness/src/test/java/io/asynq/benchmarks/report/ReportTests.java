package io.asynq.benchmarks.report;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ReportTests {

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	private final Report report = new Report(new PrintStream(this.out, true, StandardCharsets.UTF_8));

	@TempDir
	private Path folder;

	@Test
	void ratioIsOursDividedByTheirsPerRound() {
		this.report.ratio("workoff", figure(10, 90, 40), figure(5, 10, 10), 3);
		JsonNode ratio = finish().at("/results/0/ratio");
		assertThat(ratio.get("median").asDouble()).isEqualTo(4);
		assertThat(ratio.get("min").asDouble()).isEqualTo(2);
		assertThat(ratio.get("max").asDouble()).isEqualTo(9);
		assertThat(printed()).contains("RESULT workoff ratio=4.000 target=3.00 ok");
	}

	@Test
	void roundsAreComparedPairwiseNotByMedian() {
		this.report.ratio("workoff", figure(10, 20, 30), figure(1, 20, 30), 1);
		assertThat(finish().at("/results/0/ratio/max").asDouble()).isEqualTo(10);
	}

	@Test
	void valueBelowLimitHasRatioAboveOne() {
		this.report.limit("pickup", figure(1, 2, 4), 4);
		this.report.limit("due", figure(8, 16), 4);
		JsonNode results = finish().get("results");
		assertThat(results.at("/0/ratio/median").asDouble()).isEqualTo(2);
		assertThat(results.at("/0/target").asDouble()).isEqualTo(1);
		assertThat(results.at("/0/ratio/min").asDouble()).isEqualTo(1);
		assertThat(results.at("/1/ratio/max").asDouble()).isEqualTo(0.5);
		assertThat(printed()).contains("RESULT pickup ratio=2.000 target=1.00 ok")
			.contains("RESULT due ratio=0.375 target=1.00 short");
	}

	@Test
	void isExactUnlessErrorIsRecorded() {
		assertThat(this.report.exact()).isTrue();
		this.report.error("asynq-jvm has seen 9 of 10 tasks");
		assertThat(this.report.exact()).isFalse();
		JsonNode all = finish();
		assertThat(all.get("exact").asBoolean(true)).isFalse();
		assertThat(all.at("/errors/0").asString()).isEqualTo("asynq-jvm has seen 9 of 10 tasks");
		assertThat(printed()).contains("NOT EXACT: asynq-jvm has seen 9 of 10 tasks");
	}

	@Test
	void missedTargetIsNotAnError() {
		this.report.ratio("workoff", figure(1), figure(10), 6);
		assertThat(this.report.exact()).isTrue();
	}

	@Test
	void writesEnvironmentAndEveryRound() {
		this.report.figure(new Figure("workoff-c10", "asynq-jvm", "tasks/s", 2000, List.of(1.5, 2.5)));
		JsonNode all = finish();
		assertThat(all.get("redis").asString()).isEqualTo("7.4.1");
		assertThat(all.get("exact").asBoolean(false)).isTrue();
		JsonNode figure = all.at("/figures/0");
		assertThat(figure.get("name").asString()).isEqualTo("workoff-c10");
		assertThat(figure.get("contender").asString()).isEqualTo("asynq-jvm");
		assertThat(figure.get("unit").asString()).isEqualTo("tasks/s");
		assertThat(figure.get("tasks").asInt()).isEqualTo(2000);
		assertThat(figure.get("rounds").valueStream().map(JsonNode::asDouble)).containsExactly(1.5, 2.5);
	}

	@Test
	void printsMedianMinimumAndMaximum() {
		this.report.figure(new Figure("workoff", "asynq-jvm", "tasks/s", 2000, List.of(12000.0, 12.25, 0.5)));
		assertThat(printed()).containsPattern("asynq-jvm +12\\.\\d tasks/s +\\(0\\.500 to 12,000, 3 rounds of 2000\\)");
	}

	private static Figure figure(double... rounds) {
		return new Figure("workoff", "someone", "tasks/s", 0, Arrays.stream(rounds).boxed().toList());
	}

	private JsonNode finish() {
		Path file = this.folder.resolve("benchmarks.json");
		this.report.finish(file, Map.of("redis", "7.4.1"));
		return JsonMapper.builder().build().readTree(file);
	}

	private String printed() {
		return this.out.toString(StandardCharsets.UTF_8);
	}

}
