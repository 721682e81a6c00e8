package io.asynq.spring.boot.autoconfigure;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;

import io.asynq.spring.boot.autoconfigure.endpoint.AsynqEndpointAutoConfiguration;
import io.asynq.spring.boot.autoconfigure.endpoint.AsynqInfoAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

class AutoConfigurationImportsTests {

	@Test
	void listsEveryAutoConfiguration() {
		assertThat(AsynqContexts.ours()).containsExactlyInAnyOrder(AsynqAutoConfiguration.class,
				AsynqServerAutoConfiguration.class, AsynqSchedulerAutoConfiguration.class,
				AsynqMetricsAutoConfiguration.class, AsynqObservationAutoConfiguration.class,
				AsynqPrometheusAutoConfiguration.class, AsynqHealthContributorAutoConfiguration.class,
				AsynqEndpointAutoConfiguration.class, AsynqInfoAutoConfiguration.class);
	}

	@ParameterizedTest
	@MethodSource("listed")
	void isPublicFinalAutoConfigurationWithoutPublicMembers(Class<?> type) {
		assertThat(type).isPublic().isFinal().hasAnnotation(AutoConfiguration.class);
		assertThat(Stream.of(type.getDeclaredMethods()).map(Method::getModifiers)).noneMatch(Modifier::isPublic);
		assertThat(type.getDeclaredFields()).allMatch((field) -> Modifier.isPrivate(field.getModifiers()));
		assertThat(type.getDeclaredClasses()).noneMatch((nested) -> Modifier.isPublic(nested.getModifiers()));
	}

	static Stream<Class<?>> listed() {
		return Arrays.stream(AsynqContexts.ours());
	}

}
