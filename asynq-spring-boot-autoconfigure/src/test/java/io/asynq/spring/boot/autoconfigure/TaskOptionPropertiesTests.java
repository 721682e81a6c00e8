package io.asynq.spring.boot.autoconfigure;

import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

import io.asynq.TaskOption;
import io.asynq.TaskOptions;
import io.asynq.test.OptionValues;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.io.ClassPathResource;
import org.springframework.mock.env.MockEnvironment;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Properties and their metadata know every option of a task that may be set there.
 */
class TaskOptionPropertiesTests {

	@ParameterizedTest
	@EnumSource
	void typePropertiesHaveEveryOptionOfTypes(TaskOption option) {
		AsynqProperties.TaskDefaults defaults = Binder.get(environment("asynq.client.tasks.mail", option))
			.bindOrCreate("asynq", Bindable.of(AsynqProperties.class))
			.client()
			.tasks()
			.get("mail");
		assertThat(values(defaults)).isEqualTo(expected(option, option.isForTypes()));
	}

	@ParameterizedTest
	@EnumSource
	void entryPropertiesHaveEveryOptionOfPeriodicTasks(TaskOption option) {
		SchedulerEntries.Entry entry = Objects
			.requireNonNull(SchedulerEntries.from(environment("asynq.scheduler.entries.nightly", option))
				.get("asynq.scheduler.entries.nightly"));
		assertThat(values(entry.settings())).isEqualTo(expected(option, option.isForPeriodicTasks()));
	}

	@Test
	void metadataDescribesOptionsOfTypes() throws Exception {
		assertThat(metadata("asynq.client.tasks").path("type").asString()).contains("AsynqProperties$TaskDefaults");
		assertThat(
				Arrays.stream(AsynqProperties.TaskDefaults.class.getRecordComponents()).map(RecordComponent::getName))
			.containsExactlyInAnyOrderElementsOf(names(TaskOption::isForTypes));
	}

	@Test
	void metadataDescribesOptionsOfEntries() throws Exception {
		String description = metadata("asynq.scheduler.entries").path("description").asString();
		assertThat(Arrays.stream(TaskOption.values())
			.filter(TaskOption::isForPeriodicTasks)
			.map((option) -> "'" + option.propertyName() + "'")).allMatch(description::contains);
	}

	private static MockEnvironment environment(String prefix, TaskOption option) {
		String text = OptionValues.text(option);
		boolean headers = option.kind() == TaskOption.Kind.HEADERS;
		return new MockEnvironment().withProperty(prefix + ".type", "t")
			.withProperty(
					prefix + "." + option.propertyName() + (headers ? "." + text.substring(0, text.indexOf('=')) : ""),
					headers ? text.substring(text.indexOf('=') + 1) : text);
	}

	private static Map<TaskOption, Object> values(Record properties) {
		return (properties != null) ? TaskOptions.of((options) -> BoundOptions.apply("", properties, options)).values()
				: Map.of();
	}

	private static Map<TaskOption, Object> expected(TaskOption option, boolean known) {
		return known ? OptionValues.only(option).values() : Map.of();
	}

	private static List<String> names(Predicate<TaskOption> place) {
		return Arrays.stream(TaskOption.values()).filter(place).map(TaskOption::key).toList();
	}

	private static JsonNode metadata(String property) throws Exception {
		try (InputStream metadata = new ClassPathResource("META-INF/spring-configuration-metadata.json",
				AsynqProperties.class.getClassLoader())
			.getInputStream()) {
			JsonNode properties = JsonMapper.shared().readTree(metadata).path("properties");
			return StreamSupport.stream(properties.spliterator(), false)
				.filter((node) -> node.path("name").asString().equals(property))
				.findFirst()
				.orElseThrow();
		}
	}

}
