package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.asynq.payload.DefaultPayloadConverter;
import io.asynq.payload.PayloadConversionException;
import io.asynq.payload.PayloadConverter;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.Order;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which mapper reads and writes payloads.
 */
class PayloadMapperTests {

	private static final String OF_APPLICATION = "asynq.json.use-application-mapper=true";

	private static final String NANOSECONDS = "asynq.json.durations=nanoseconds";

	private static final Wait WAIT = new Wait(7, Duration.ofSeconds(90));

	private final ApplicationContextRunner runner = AsynqContexts.wired();

	@Test
	void payloadsDoNotDependOnTheWebLayer() {
		JsonMapperBuilderCustomizer customizer = (builder) -> builder
			.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
		JacksonModule module = new SimpleModule().setMixInAnnotation(Wait.class, Reversed.class);
		this.runner.withBean(JsonMapperBuilderCustomizer.class, () -> customizer)
			.withBean(JacksonModule.class, () -> module)
			.withPropertyValues("spring.jackson.property-naming-strategy=UPPER_CAMEL_CASE",
					"spring.jackson.deserialization.fail-on-unknown-properties=true",
					"spring.jackson.datatype.datetime.write-durations-as-timestamps=true")
			.run((context) -> {
				assertThat(written(context)).isEqualTo("{\"userId\":7,\"length\":\"PT1M30S\"}");
				assertThat(read(context, "{\"userId\":7,\"length\":\"PT1M30S\",\"unknown\":1}")).isEqualTo(WAIT);
			});
	}

	@Test
	void mapperOfPayloadsIsNoBean() {
		this.runner.run((context) -> assertThat(context.getBeansOfType(JsonMapper.class))
			.containsOnlyKeys("jacksonJsonMapper"));
	}

	@Test
	void severalMappersOfApplicationDoNoHarm() {
		this.runner.withBean("first", JsonMapper.class, JsonMapper::shared)
			.withBean("second", JsonMapper.class, JsonMapper::shared)
			.run((context) -> assertThat(written(context)).contains("userId"));
	}

	@Test
	void applicationsMapperIsUsedAsItIsIfAsked() {
		JsonMapper snake = snake();
		this.runner.withBean(JsonMapper.class, () -> snake).withPropertyValues(OF_APPLICATION).run((context) -> {
			assertThat(written(context)).isEqualTo("{\"user_id\":7,\"length\":\"PT1M30S\"}");
			assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> read(context, "{}"))
				.withMessageContaining("$.user_id, field user_id of " + Wait.class.getName() + ": no int");
		});
	}

	@Test
	void propertiesAndCustomizersChangeACopyOfApplicationsMapper() {
		JsonMapper snake = snake();
		this.runner.withBean(JsonMapper.class, () -> snake)
			.withPropertyValues(OF_APPLICATION, NANOSECONDS)
			.run((context) -> {
				assertThat(written(context)).isEqualTo("{\"user_id\":7,\"length\":90000000000}");
				assertThat(snake.writeValueAsString(WAIT)).isEqualTo("{\"user_id\":7,\"length\":\"PT1M30S\"}");
			});
	}

	@Test
	void missingMapperOfApplicationIsExplained() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(LifecycleAutoConfiguration.class, DataRedisAutoConfiguration.class))
			.withConfiguration(AutoConfigurations.of(AsynqContexts.ours()))
			.withPropertyValues(OF_APPLICATION)
			.run((context) -> {
				FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains("asynq.json.use-application-mapper");
				assertThat(analysis.getDescription() + analysis.getAction()).contains("no JsonMapper bean",
						"leave the property out");
			});
	}

	@Test
	void readsAndWritesDurationsOfGoIfAsked() {
		this.runner.withPropertyValues(NANOSECONDS).run((context) -> {
			assertThat(written(context)).isEqualTo("{\"userId\":7,\"length\":90000000000}");
			assertThat(read(context, "{\"userId\":7,\"length\":90000000000}")).isEqualTo(WAIT);
			assertThat(read(context, "{\"userId\":7,\"length\":\"PT1M30S\"}")).isEqualTo(WAIT);
		});
	}

	@Test
	void readsCapitalisedNamesOfGoIfAsked() {
		String go = "{\"UserID\":7,\"Length\":\"PT1M30S\"}";
		this.runner.run((context) -> assertThat(read(context, go)).isEqualTo(new Wait(0, null)));
		this.runner.withPropertyValues("asynq.json.case-insensitive-names=true").run((context) -> {
			assertThat(read(context, go)).isEqualTo(WAIT);
			assertThat(written(context)).startsWith("{\"userId\":7");
		});
	}

	@Test
	void customizersAreCalledInOrderAfterTheProperties() {
		this.runner.withBean("second", AsynqJsonMapperCustomizer.class, Second::new)
			.withBean("first", AsynqJsonMapperCustomizer.class, First::new)
			.run((context) -> {
				assertThat(written(context)).isEqualTo("{\"user_id\":7,\"length\":\"PT1M30S\"}");
				assertThat(context.getBean(JsonMapper.class).writeValueAsString(WAIT)).contains("userId");
			});
	}

	@Test
	void converterOfApplicationReplacesTheMapper() {
		DefaultPayloadConverter own = new DefaultPayloadConverter();
		this.runner.withBean(PayloadConverter.class, () -> own)
			.withPropertyValues(NANOSECONDS)
			.run((context) -> assertThat(context.getBean(PayloadConverter.class)).isSameAs(own));
	}

	private static JsonMapper snake() {
		return JsonMapper.builder()
			.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
			.disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
			.build();
	}

	private static String written(AssertableApplicationContext context) {
		return new String(context.getBean(PayloadConverter.class).toBytes(WAIT));
	}

	private static Object read(AssertableApplicationContext context, String json) {
		return context.getBean(PayloadConverter.class).fromBytes(json.getBytes(), Wait.class);
	}

	record Wait(int userId, Duration length) {
	}

	@JsonPropertyOrder({ "length", "userId" })
	interface Reversed {

	}

	@Order(1)
	static final class First implements AsynqJsonMapperCustomizer {

		@Override
		public void customize(JsonMapper.Builder builder) {
			builder.propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE);
		}

	}

	@Order(2)
	static final class Second implements AsynqJsonMapperCustomizer {

		@Override
		public void customize(JsonMapper.Builder builder) {
			builder.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
		}

	}

}
