package io.asynq.spring.boot.autoconfigure;

import java.io.InputStream;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.asynq.spring.boot.autoconfigure.AsynqProperties.Json.DurationForm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.mock.env.MockEnvironment;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ConfigurationMetadataTests {

	private static final Map<String, String> VALUES = Map.ofEntries(Map.entry("java.lang.Integer", "7"),
			Map.entry("java.lang.Boolean", "false"), Map.entry("java.time.Duration", "17s"),
			Map.entry("org.springframework.util.unit.DataSize", "17KB"), Map.entry("java.lang.String", "Asia/Tokyo"),
			Map.entry("io.asynq.schedule.MissedFirePolicy", "once"),
			Map.entry("io.asynq.annotation.HandlerMatching", "prefix"),
			Map.entry("io.asynq.operations.preflight.PreflightMode", "fail"),
			Map.entry("java.util.List<java.lang.String>", "mail:*"),
			Map.entry("io.asynq.server.FailureLogging", "every"), Map.entry("io.asynq.server.UnknownTypes", "archive"),
			Map.entry("io.asynq.CancelMode", "delete"), Map.entry(DurationForm.class.getName(), "nanoseconds"));

	@Test
	void hasAtMostFiftySixProperties() throws Exception {
		assertThat(properties()).hasSizeBetween(20, 56);
	}

	@ParameterizedTest
	@MethodSource("properties")
	void describesProperty(JsonNode property) {
		assertThat(property.path("description").asString()).as(name(property))
			.matches("(?s)[A-Z].*\\.")
			.doesNotStartWith("The ")
			.doesNotStartWith("A ");
	}

	@ParameterizedTest
	@MethodSource("plainProperties")
	void bindsDocumentedProperty(JsonNode property) {
		JsonNode defaultValue = property.path("defaultValue");
		String value = defaultValue.isBoolean() ? String.valueOf(!defaultValue.asBoolean())
				: VALUES.get(property.path("type").asString());
		assertThat(value).as("value for %s", property).isNotNull();
		assertThat(bind(Map.of(name(property), value))).isNotEqualTo(bind(Map.of()));
	}

	@Test
	void bindsDocumentedMaps() throws Exception {
		assertThat(properties().filter((property) -> !isPlain(property)).map(ConfigurationMetadataTests::name))
			.containsExactlyInAnyOrder("asynq.client.tasks", "asynq.limits", "asynq.server.queues",
					"asynq.server.retry", "asynq.scheduler.entries");
		assertThat(bind(Map.of("asynq.server.queues.low", "2")).server().queues()).containsOnlyKeys("low");
		assertThat(bind(Map.of("asynq.limits.pdf.concurrent", "2")).limits()).containsOnlyKeys("pdf");
		assertThat(bind(Map.of("asynq.server.retry.mail.delay", "2s")).server().retry()).containsOnlyKeys("mail");
		assertThat(bind(Map.of("asynq.client.tasks.mail.queue", "low")).client().tasks()).containsOnlyKeys("mail");
		assertThat(SchedulerEntries.from(new MockEnvironment().withProperty("asynq.scheduler.entries.a.type", "t")
			.withProperty("asynq.scheduler.entries.a.cron", "@daily"))).hasSize(1);
	}

	private static AsynqProperties bind(Map<String, String> values) {
		return new Binder(new MapConfigurationPropertySource(values)).bindOrCreate("asynq",
				Bindable.of(AsynqProperties.class));
	}

	static Stream<JsonNode> plainProperties() throws Exception {
		// Those of the endpoint are bound by its own tests: they need the actuator
		return properties().filter(ConfigurationMetadataTests::isPlain)
			.filter((property) -> !name(property).contains("endpoint."));
	}

	static Stream<JsonNode> properties() throws Exception {
		try (InputStream metadata = new ClassPathResource("META-INF/spring-configuration-metadata.json",
				AsynqProperties.class.getClassLoader())
			.getInputStream()) {
			JsonNode properties = JsonMapper.shared().readTree(metadata).path("properties");
			// Boot itself has those of an endpoint that begin with management
			return StreamSupport.stream(properties.spliterator(), false)
				.filter((property) -> name(property).startsWith("asynq."))
				.toList()
				.stream();
		}
	}

	private static boolean isPlain(JsonNode property) {
		return !property.path("type").asString().startsWith("java.util.Map");
	}

	private static String name(JsonNode property) {
		return property.path("name").asString();
	}

}
