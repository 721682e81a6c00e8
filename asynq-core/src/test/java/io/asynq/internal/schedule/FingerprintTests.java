package io.asynq.internal.schedule;

import io.asynq.Task;
import io.asynq.TaskOption;
import io.asynq.schedule.PeriodicTaskDefinition;
import io.asynq.test.OptionValues;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class FingerprintTests {

	private static final PeriodicTaskDefinition PLAIN = PeriodicTaskDefinition.of("@daily", Task.of("report", ""));

	@ParameterizedTest
	@EnumSource
	void everyOptionOfAPeriodicTaskCounts(TaskOption option) {
		PeriodicTaskDefinition other = PLAIN.options((options) -> option.set(options, OptionValues.value(option)));
		assertThat(Fingerprint.of(other)).isNotEqualTo(Fingerprint.of(PLAIN))
			.isEqualTo(Fingerprint.of(PLAIN.options((options) -> option.set(options, OptionValues.value(option)))));
	}

	@ParameterizedTest
	@EnumSource
	void everyOptionOfItsTaskCounts(TaskOption option) {
		PeriodicTaskDefinition other = PeriodicTaskDefinition.of("@daily",
				Task.of("report", "").withOptions(OptionValues.only(option)));
		assertThat(Fingerprint.of(other)).isNotEqualTo(Fingerprint.of(PLAIN));
	}

}
