package io.asynq;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.asynq.annotation.PeriodicTask;
import io.asynq.test.OptionValues;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TaskOptionTests {

	@ParameterizedTest
	@EnumSource
	void setsItselfAndNothingElse(TaskOption option) {
		assertThat(OptionValues.only(option).values()).isEqualTo(Map.of(option, OptionValues.value(option)));
	}

	@ParameterizedTest
	@EnumSource
	void overridesAndIsOverridden(TaskOption option) {
		TaskOptions set = OptionValues.only(option);
		TaskOptions other = OptionValues.only((option != TaskOption.QUEUE) ? TaskOption.QUEUE : TaskOption.GROUP);
		assertThat(other.overriddenBy(set).values()).hasSize(2).containsAllEntriesOf(set.values());
		assertThat(set.overriddenBy(other).values()).hasSize(2).containsAllEntriesOf(set.values());
	}

	@ParameterizedTest
	@EnumSource
	void readsItsValueFromText(TaskOption option) {
		assertThat(option.parse(OptionValues.text(option))).isEqualTo(OptionValues.value(option));
	}

	@ParameterizedTest
	@CsvSource({ "MAX_RETRY, many, a whole number", "MAX_RETRY, 99999999999, a whole number",
			"TIMEOUT, soon, a duration like 30s or PT5M", "DEADLINE, soon, a time like 2026-01-31T08:00:00Z",
			"HEADERS, tenant, written as name=value", "HEADERS, =acme, written as name=value" })
	void errorDescribesExpectedText(TaskOption option, String text, String expected) {
		assertThatIllegalArgumentException().isThrownBy(() -> option.parse(text)).withMessage("must be " + expected);
	}

	@Test
	void rejectsValueOfWrongType() {
		assertThatExceptionOfType(ClassCastException.class)
			.isThrownBy(() -> TaskOption.TIMEOUT.set(TaskOptions.builder(), "90s"));
	}

	@ParameterizedTest
	@EnumSource
	void isPrintedUnlessItMayBeSecret(TaskOption option) {
		assertThat(OptionValues.only(option)).hasToString((option != TaskOption.HEADERS)
				? "TaskOptions{" + option.key() + "=" + OptionValues.value(option) + "}" : "TaskOptions{}");
	}

	@Test
	void everyOptionThatATypeMayHaveIsAnAttributeOfTaskDefaults() {
		assertThat(attributes(TaskDefaults.class, "type"))
			.containsExactlyInAnyOrderElementsOf(keys(TaskOption::isForTypes));
	}

	@Test
	void everyOptionThatAPeriodicTaskMayHaveIsAnAttributeOfPeriodicTask() {
		assertThat(attributes(PeriodicTask.class, "value", "cron", "zone", "id", "type", "missedFires"))
			.containsExactlyInAnyOrderElementsOf(keys(TaskOption::isForPeriodicTasks));
	}

	@Test
	void periodicTaskSupportsEveryOptionOfAType() {
		assertThat(keys(TaskOption::isForPeriodicTasks)).containsAll(keys(TaskOption::isForTypes));
	}

	private static List<String> keys(Predicate<TaskOption> place) {
		return Arrays.stream(TaskOption.values()).filter(place).map(TaskOption::key).toList();
	}

	private static Stream<String> attributes(Class<? extends Annotation> annotation, String... others) {
		return Arrays.stream(annotation.getDeclaredMethods())
			.map(Method::getName)
			.filter((name) -> !Arrays.asList(others).contains(name));
	}

}
