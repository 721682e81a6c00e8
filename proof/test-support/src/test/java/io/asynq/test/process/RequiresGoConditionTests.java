package io.asynq.test.process;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RequiresGoConditionTests {

	@Test
	void runsTestsWithGo() {
		RequiresGoCondition condition = new RequiresGoCondition(Map.of("ASYNQ_REQUIRE_GO", "true"), () -> true);
		assertThat(condition.evaluate().isDisabled()).isFalse();
	}

	@Test
	void skipsTestsWithoutGoAndExplainsWhy() {
		ConditionEvaluationResult result = new RequiresGoCondition(Map.of(), () -> false).evaluate();
		assertThat(result.isDisabled()).isTrue();
		assertThat(result.getReason())
			.hasValueSatisfying((reason) -> assertThat(reason).contains("Go on the PATH").contains("ASYNQ_REQUIRE_GO"));
	}

	@Test
	void failsTestsWithoutGoWhereRequired() {
		RequiresGoCondition condition = new RequiresGoCondition(Map.of("ASYNQ_REQUIRE_GO", "true"), () -> false);
		assertThatIllegalStateException().isThrownBy(condition::evaluate).withMessageContaining("ASYNQ_REQUIRE_GO");
	}

}
