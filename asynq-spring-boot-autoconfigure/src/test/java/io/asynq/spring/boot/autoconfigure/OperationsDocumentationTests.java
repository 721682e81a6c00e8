package io.asynq.spring.boot.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.asynq.test.process.Repository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pages for operators, the alert rules and the dashboard name the same things.
 */
class OperationsDocumentationTests {

	private static final String RULES = "docs/ops/asynq-alerts.yml";

	private static final String RULE_TESTS = "docs/ops/asynq-alerts-test.yml";

	private static final Pattern SECTION = Pattern.compile("^### (Asynq\\w+)$", Pattern.MULTILINE);

	private static final Pattern ALERT = Pattern.compile("\\bAsynq(?!Server|Client|Inspector|Scheduler)[A-Z]\\w+");

	private static final Pattern SERIES = Pattern.compile("\\basynq_[a-z_]+");

	/**
	 * What every process that looks at the same Redis publishes, and what is in front of
	 * it.
	 */
	private static final Pattern OF_REDIS = Pattern
		.compile("\\basynq_(queue_(?!snapshot)|tasks_(enqueued|processed|failed)_|limit_)");

	private static final Pattern NOT_ADDED = Pattern
		.compile("((max|min) by \\(redis, [a-z, ]+\\) \\(|count by \\(redis\\) \\(|\\b(max|absent)\\()[a-z_]*\\(?$");

	private static final Pattern DOCUMENTED = Pattern.compile("`(asynq_[a-z_]+)[`{]");

	@Test
	void everyAlertHasSectionAndEverySectionAnAlert() {
		assertThat(find(SECTION, "docs/operations.md")).isEqualTo(alerts());
	}

	@ParameterizedTest
	@ValueSource(strings = { "docs/operations.md", "docs/my-task-does-not-run.md", "docs/metrics.md" })
	void pagesNameOnlyAlertsThatExist(String page) {
		assertThat(alerts()).containsAll(find(ALERT, page));
	}

	@Test
	void everyAlertIsTestedFiringAndQuiet() {
		Set<String> firing = new TreeSet<>();
		Set<String> quiet = new TreeSet<>();
		for (Map<String, Object> test : maps(yaml(RULE_TESTS).get("tests"))) {
			for (Map<String, Object> check : maps(test.get("alert_rule_test"))) {
				boolean fires = !maps(check.get("exp_alerts")).isEmpty();
				(fires ? firing : quiet).add((String) check.get("alertname"));
			}
		}
		assertThat(firing).isEqualTo(alerts());
		assertThat(quiet).isEqualTo(alerts());
	}

	@ParameterizedTest
	@ValueSource(strings = { RULES, "docs/ops/asynq-dashboard.json" })
	void seriesInUseAreDocumented(String file) {
		assertThat(meters(find(SERIES, file))).isNotEmpty().isSubsetOf(meters(find(DOCUMENTED, "docs/metrics.md")));
	}

	@ParameterizedTest
	@ValueSource(strings = { RULES, "docs/ops/asynq-dashboard.json" })
	void nothingOfRedisIsAddedOverProcesses(String file) {
		assertThat(expressions(new Yaml().load(read(file))).toList()).isNotEmpty()
			.allSatisfy((expression) -> assertThat(OF_REDIS.matcher(expression).results()).as(expression)
				.allSatisfy(
						(series) -> assertThat(expression.substring(0, series.start())).containsPattern(NOT_ADDED)));
	}

	@Test
	void everyMeterOfProcessIsOnTheDashboard() {
		String page = read("docs/metrics.md");
		String process = page.substring(page.indexOf("\n## This process"), page.indexOf("\n### How long tasks wait"));
		assertThat(meters(find(SERIES, "docs/ops/asynq-dashboard.json")))
			.containsAll(meters(matches(DOCUMENTED, process)));
	}

	private static Stream<String> expressions(Object part) {
		if (part instanceof Map<?, ?> map) {
			return map.entrySet()
				.stream()
				.flatMap((entry) -> "expr".equals(entry.getKey()) ? Stream.of((String) entry.getValue())
						: expressions(entry.getValue()));
		}
		return (part instanceof List<?> list) ? list.stream().flatMap(OperationsDocumentationTests::expressions)
				: Stream.empty();
	}

	/** Timers are documented by one of their three series. */
	private static Set<String> meters(Set<String> series) {
		return series.stream()
			.map((name) -> name.replaceFirst("_seconds_(count|sum|max)$", "_seconds"))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static Set<String> alerts() {
		return maps(yaml(RULES).get("groups")).stream()
			.flatMap((group) -> maps(group.get("rules")).stream())
			.map((rule) -> (String) rule.get("alert"))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static Set<String> find(Pattern pattern, String file) {
		return matches(pattern, read(file));
	}

	private static Set<String> matches(Pattern pattern, String text) {
		return pattern.matcher(text)
			.results()
			.map((match) -> match.group(match.groupCount()))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static Map<String, Object> yaml(String file) {
		return new Yaml().load(read(file));
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> maps(Object list) {
		return (List<Map<String, Object>>) list;
	}

	private static String read(String file) {
		try {
			return Files.readString(Repository.path(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
