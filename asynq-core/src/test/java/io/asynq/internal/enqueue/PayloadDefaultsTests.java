package io.asynq.internal.enqueue;

import java.util.Map;

import io.asynq.TaskDefaults;
import io.asynq.TaskOption;
import io.asynq.TaskOptions;
import io.asynq.test.OptionValues;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.annotation.AnnotationUtils;

import static org.assertj.core.api.Assertions.assertThat;

class PayloadDefaultsTests {

	@ParameterizedTest
	@EnumSource
	void readsEveryOptionFromItsAttribute(TaskOption option) {
		Object value = (option.kind() == TaskOption.Kind.NUMBER) ? OptionValues.value(option)
				: OptionValues.text(option);
		TaskDefaults annotation = AnnotationUtils.synthesizeAnnotation(
				option.isForTypes() ? Map.of(option.key(), value) : Map.of(), TaskDefaults.class, null);
		assertThat(PayloadDefaults.read(annotation, String.class).options().values())
			.isEqualTo(option.isForTypes() ? OptionValues.only(option).values() : TaskOptions.none().values());
	}

}
