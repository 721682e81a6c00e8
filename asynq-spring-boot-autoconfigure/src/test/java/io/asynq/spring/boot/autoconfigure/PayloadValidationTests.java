package io.asynq.spring.boot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.asynq.Task;
import io.asynq.annotation.TaskAggregator;
import io.asynq.annotation.TaskHandler;
import io.asynq.handler.RejectedTasksException;
import io.asynq.handler.SkipRetryException;
import io.asynq.handler.TaskAggregators;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskMux;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.messaging.handler.annotation.Header;
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

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "mail | nobody | to must be a well-formed email address",
					"number | -7 | number must be greater than 0",
					"mails | [\"a@b.c\",\"nobody\"] | to[1].<list element> must be a well-formed email address",
					"optional mail | nobody | to must be a well-formed email address",
					"headed | hi | tenant must not be blank" })
	void invalidArgumentOfValidatedClassArchivesTask(String type, String payload, String violations) {
		for (boolean adapted : new boolean[] { false, true }) {
			this.validating.withBean(Mails.class)
				.withPropertyValues("spring.validation.method.adapt-constraint-violations=" + adapted)
				.run((context) -> assertThatExceptionOfType(SkipRetryException.class)
					.isThrownBy(() -> context.getBean(TaskMux.class)
						.processTask(Task.of(type, payload).withHeaders(Map.of("tenant", " ")),
								mock(TaskContext.class)))
					.withMessageStartingWith("Payload of task type '" + type + "' is not valid for ")
					.withMessageContaining(adapted ? violations.replaceAll("\\[1].*>", "").split(";")[0] : violations)
					.withMessageNotContainingAny("nobody", "-7")
					.withNoCause());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "result", "nested" })
	void violationThatIsNotOfTheTaskIsRetried(String type) {
		this.validating.withBean(Mails.class)
			.withBean(Addresses.class)
			.run((context) -> assertThatExceptionOfType(ConstraintViolationException.class).isThrownBy(
					() -> context.getBean(TaskMux.class).processTask(Task.of(type, "x"), mock(TaskContext.class))));
	}

	@Test
	void invalidElementsAreRejectedByAggregatorOfValidatedClass() {
		Task good = Task.of("mail", "a@b.c");
		Task bad = Task.of("mail", "nobody");
		for (boolean adapted : new boolean[] { false, true }) {
			this.validating.withBean(Mails.class)
				.withPropertyValues("spring.validation.method.adapt-constraint-violations=" + adapted)
				.run((context) -> assertThatExceptionOfType(RejectedTasksException.class)
					.isThrownBy(() -> Objects.requireNonNull(context.getBean(TaskAggregators.class).find("q", "g"))
						.aggregate("q", "g", List.of(good, bad, good)))
					.withMessageContainingAll("Mails.digest(List)", "must be a well-formed email address")
					.satisfies((ex) -> assertThat(ex.tasks()).containsExactly(bad)));
		}
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

	@Validated
	static class Mails {

		private final ObjectProvider<Addresses> addresses;

		Mails(ObjectProvider<Addresses> addresses) {
			this.addresses = addresses;
		}

		@TaskHandler("mail")
		void mail(@Email String to) {
		}

		@TaskHandler("number")
		void number(@Positive int number) {
		}

		@TaskHandler("mails")
		void mails(List<@Email String> to) {
		}

		@TaskHandler("optional mail")
		void optional(Task task, @Nullable @Email String to) {
		}

		@TaskHandler("headed")
		void headed(@NotBlank @Header("tenant") String tenant) {
		}

		@TaskHandler("result")
		@NotBlank
		String result(String payload) {
			return " ";
		}

		@TaskHandler("nested")
		void nested(String payload) {
			this.addresses.getObject().nested(payload);
		}

		@TaskAggregator(type = "x")
		String digest(List<@Email String> to) {
			return "";
		}

	}

	@Validated
	static class Addresses {

		void nested(@Email String to) {
		}

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
