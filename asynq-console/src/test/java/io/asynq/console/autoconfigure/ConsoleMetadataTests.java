package io.asynq.console.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.asynq.console.AsynqConsoleProperties;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ConsoleMetadataTests {

	private static final Map<String, String> VALUES = Map.ofEntries(Map.entry("path", "/a"),
			Map.entry("server", "management"), Map.entry("access", "none"), Map.entry("max-access", "none"),
			Map.entry("security", "none"), Map.entry("token", "0123456789abcdef"), Map.entry("authorities.viewer", "a"),
			Map.entry("authorities.operator", "a"), Map.entry("authorities.admin", "a"),
			Map.entry("show-payloads", "never"), Map.entry("require-reason", "true"), Map.entry("title", "a"),
			Map.entry("refresh", "3s"), Map.entry("scan-limit", "1000"));

	@ParameterizedTest
	@MethodSource("properties")
	void propertyIsDescribedAndBound(JsonNode property) throws IOException {
		String name = property.path("name").asString();
		assertThat(property.path("description").asString()).as(name).matches("(?s)[A-Z].*\\.");
		String value = VALUES.get(name.substring("asynq.console.".length()));
		assertThat(value).as(name).isNotNull();
		assertThat(bind(Map.of(name, value))).isNotEqualTo(bind(Map.of()));
		String last = name.substring(name.lastIndexOf('.') + 1);
		assertThat(Files.readString(Path.of("../docs/configuration.md"))).contains("." + last + "`");
	}

	static Stream<JsonNode> properties() throws IOException {
		try (InputStream metadata = AsynqConsoleProperties.class
			.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			JsonNode properties = JsonMapper.shared().readTree(metadata).path("properties");
			return StreamSupport.stream(properties.spliterator(), false)
				.filter((property) -> property.path("name").asString().startsWith("asynq.console."))
				.toList()
				.stream();
		}
	}

	private static AsynqConsoleProperties bind(Map<String, String> values) {
		return new Binder(new MapConfigurationPropertySource(values)).bindOrCreate("asynq.console",
				AsynqConsoleProperties.class);
	}

}
