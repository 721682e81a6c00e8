package io.asynq;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TaskStateTests {

	@ParameterizedTest
	@CsvSource({ "1, active", "2, pending", "3, scheduled", "4, retry", "5, archived", "6, completed",
			"7, aggregating" })
	void hasNumberAndNameOfGo(int number, String name) {
		assertThat(TaskState.of(name).number()).isEqualTo(number);
		assertThat(TaskState.of(name).wireName()).isEqualTo(name);
	}

	@Test
	void deferredTaskIsNotInRedis() {
		assertThat(TaskState.stored()).hasSize(7).doesNotContain(TaskState.DEFERRED);
		assertThatIllegalArgumentException().isThrownBy(() -> TaskState.of("deferred"));
	}

	@Test
	void errorNamesUnknownState() {
		assertThatIllegalArgumentException().isThrownBy(() -> TaskState.of("dead")).withMessageContaining("'dead'");
	}

}
