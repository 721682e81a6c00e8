package io.asynq.spring.boot.autoconfigure;

import java.util.List;
import java.util.Optional;

import io.asynq.Task;
import io.asynq.annotation.TaskHandler;
import io.asynq.handler.SkipRetryException;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskMux;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.validation.annotation.Validated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.Mockito.mock;

/**
 * Tests of payloads with Bean Validation.
 */
@ExtendWith(OutputCaptureExtension.class)
class PayloadValidationTests {

	private static final String INVALID = "{\"item\":\" \",\"quantity\":-7}";

	private static final String VALID = "{\"item\":\"Book\",\"quantity\":7}";

	private final ApplicationContextRunner runner = AsynqContexts.wired().withBean(Orders.class);

	private final ApplicationContextRunner validating = this.runner
		.withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class));

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "valid | " + INVALID + " | item must not be blank; quantity must be greater than 0",
					"list | [" + VALID + "," + INVALID + "] | item must not be blank; quantity must be greater than 0",
					"optional | " + INVALID + " | item must not be blank; quantity must be greater than 0",
					"group | " + INVALID + " | quantity must be greater than 0" })
	void invalidPayloadArchivesTaskWithViolations(String type, String payload, String violations) {
		this.validating.run((context) -> assertThatExceptionOfType(SkipRetryException.class)
			.isThrownBy(
					() -> context.getBean(TaskMux.class).processTask(Task.of(type, payload), mock(TaskContext.class)))
			.withMessageStartingWith("Payload of task type '" + type + "' is not valid for ")
			.withMessageEndingWith(": " + violations)
			.withMessageNotContaining("-7"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "valid | " + VALID, "list | [" + VALID + "]", "unchecked | " + INVALID })
	void validOrUncheckedPayloadIsHandled(String type, String payload) {
		this.validating.run((context) -> assertThatNoException().isThrownBy(
				() -> context.getBean(TaskMux.class).processTask(Task.of(type, payload), mock(TaskContext.class))));
	}

	@Test
	void warnsThatNothingIsValidatedWithoutValidator(CapturedOutput output) {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output.getOut().lines().filter((line) -> line.contains("is not validated"))).hasSize(4)
				.allMatch((line) -> line.contains("spring-boot-starter-validation"))
				.noneMatch((line) -> line.contains("Orders.unchecked("));
		});
	}

	record Order(@NotBlank(groups = {
			Draft.class, jakarta.validation.groups.Default.class }) String item,
			@Positive(groups = { Final.class, jakarta.validation.groups.Default.class }) int quantity){
	}

	interface Draft {

	}

	interface Final {

	}

	static class Orders {

		@TaskHandler("valid")
		void valid(@Valid Order order) {
		}

		@TaskHandler("list")
		void list(@Valid List<Order> orders) {
		}

		@TaskHandler("optional")
		void optional(@Valid Optional<Order> order) {
		}

		@TaskHandler("group")
		void group(@Validated(Final.class) Order order) {
		}

		@TaskHandler("unchecked")
		void unchecked(Order order) {
		}

	}

}
