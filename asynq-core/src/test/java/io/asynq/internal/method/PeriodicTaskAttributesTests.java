package io.asynq.internal.method;

import java.util.Map;

import io.asynq.TaskOption;
import io.asynq.TaskOptions;
import io.asynq.annotation.PeriodicTask;
import io.asynq.test.OptionValues;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;

import static org.assertj.core.api.Assertions.assertThat;

class PeriodicTaskAttributesTests {

	@ParameterizedTest
	@EnumSource
	void readsEveryOptionFromItsAttribute(TaskOption option) {
		PeriodicTask annotation = AnnotationUtils.synthesizeAnnotation(
				option.isForPeriodicTasks() ? Map.of(option.key(), OptionValues.text(option)) : Map.of(),
				PeriodicTask.class, null);
		TaskOptions.Builder options = TaskOptions.builder();
		new PeriodicTaskAttributes(new DefaultListableBeanFactory()).apply(annotation, options);
		assertThat(options.build().values())
			.isEqualTo(option.isForPeriodicTasks() ? OptionValues.only(option).values() : TaskOptions.none().values());
	}

}
