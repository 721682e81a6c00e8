package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.broker.Broker;
import io.asynq.broker.TaskUpkeep;
import io.asynq.broker.redis.RedisBroker;
import io.asynq.broker.redis.ServerConnections;
import io.asynq.client.AsynqClient;
import io.asynq.client.ClientOptions;
import io.asynq.inspect.AsynqInspector;
import io.asynq.payload.PayloadConverter;
import io.asynq.server.AsynqServer;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.Jedis;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class AsynqAutoConfigurationTests {

	private final ApplicationContextRunner runner = AsynqContexts.wired();

	@Test
	void providesClientInspectorAndBroker() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(AsynqClient.class)
			.hasSingleBean(AsynqInspector.class)
			.hasSingleBean(RedisBroker.class)
			.hasSingleBean(PayloadConverter.class));
	}

	@Test
	void backsOffWithoutADriver() {
		this.runner.withClassLoader(new FilteredClassLoader(Jedis.class, RedisClient.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(AsynqClient.class)
				.doesNotHaveBean(AsynqServer.class));
	}

	@Test
	void worksWithLettuceAlone() {
		this.runner.withPropertyValues("spring.data.redis.client-type=lettuce")
			.withClassLoader(new FilteredClassLoader(Jedis.class))
			.run((context) -> assertThat(context).hasSingleBean(AsynqClient.class).hasSingleBean(AsynqServer.class));
	}

	@Test
	void keepsTextUnchangedWithoutJackson() {
		this.runner.withClassLoader(new FilteredClassLoader(JsonMapper.class)).run((context) -> {
			assertThat(context).hasSingleBean(AsynqClient.class);
			assertThat(context.getBean(PayloadConverter.class).toBytes("text")).asString().isEqualTo("text");
		});
	}

	@Test
	void writesJsonWithMapperOfApplication() {
		this.runner
			.withBean(JsonMapper.class,
					() -> JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build())
			.run((context) -> assertThat(context.getBean(PayloadConverter.class).toBytes(new Order("7"))).asString()
				.isEqualTo("{\"order_id\":\"7\"}"));
	}

	@Test
	void backsOffForBeansOfApplication() {
		AsynqClient client = mock();
		PayloadConverter converter = mock();
		Broker broker = mock();
		TaskUpkeep leases = mock();
		given(broker.upkeep()).willReturn(leases);
		given(leases.leaseDuration()).willReturn(RedisBroker.DEFAULT_LEASE_DURATION);
		this.runner.withBean(AsynqClient.class, () -> client)
			.withBean(PayloadConverter.class, () -> converter)
			.withBean(Broker.class, () -> broker)
			.run((context) -> {
				assertThat(context).getBean(AsynqClient.class).isSameAs(client);
				assertThat(context).getBean(PayloadConverter.class).isSameAs(converter);
				assertThat(context).getBean(Broker.class).isSameAs(broker);
			});
	}

	@Test
	void usesQualifiedConnectionFactory() {
		this.runner.withUserConfiguration(SecondRedis.class).run((context) -> {
			AsynqConnectionFactory used = context.getBean(AsynqConnectionFactory.class);
			assertThat(used.value()).isSameAs(context.getBean("second"));
			assertThat(context.getBean(RedisConnectionFactory.class)).isNotSameAs(used.value());
		});
	}

	@Test
	void usesPrimaryConnectionFactoryWithoutQualifier() {
		this.runner.run((context) -> assertThat(context.getBean(AsynqConnectionFactory.class).value())
			.isSameAs(context.getBean(RedisConnectionFactory.class)));
	}

	@ParameterizedTest
	@CsvSource({ "jedis, spring.data.redis.port=1", "lettuce, spring.data.redis.port=1",
			"lettuce, spring.data.redis.cluster.nodes=127.0.0.1:1" })
	void serverHasItsOwnConnections(String driver, String redis) {
		this.runner.withPropertyValues("spring.data.redis.client-type=" + driver, redis)
			.run((context) -> assertThat(context.getBean(ServerConnections.class).isOwn()).isTrue());
	}

	@Test
	void clientAloneHasNoServerConnections() {
		this.runner.withPropertyValues("asynq.server.enabled=false")
			.run((context) -> assertThat(context.getBean(ServerConnections.class).isOwn()).isFalse());
	}

	@Test
	void sharesConnectionsThatCannotBeCopied() {
		this.runner.withUserConfiguration(SecondRedis.class)
			.run((context) -> assertThat(context.getBean(ServerConnections.class).isOwn()).isFalse());
	}

	@Test
	void usesQualifiedServerConnectionFactory() {
		this.runner.withUserConfiguration(SecondRedis.class, ServerRedis.class)
			.run((context) -> assertThat(context.getBean(ServerConnections.class).isOwn()).isTrue());
	}

	@Test
	void exposesNoTemplateAndNoListenerContainer() {
		this.runner.run((context) -> {
			assertThat(context.getBeanNamesForType(RedisOperations.class)).containsExactlyInAnyOrder("redisTemplate",
					"stringRedisTemplate");
			assertThat(context.getBeanNamesForType(RedisMessageListenerContainer.class))
				.noneMatch((name) -> name.startsWith("asynq"));
		});
	}

	@Test
	void appliesPropertiesThenCustomizersToTheClient() {
		AtomicReference<ClientOptions> options = new AtomicReference<>();
		this.runner
			.withInitializer(AsynqContexts.properties("asynq.client.max-payload-size=2KB",
					"asynq.client.tasks.[email:send].queue=mail", "asynq.client.tasks.[email:send].max-retry=3",
					"asynq.client.tasks.[email:send].timeout=20s", "asynq.client.tasks.[email:send].retention=1h",
					"asynq.client.tasks.[email:send].unique=5m"))
			.withBean(AsynqClientCustomizer.class, () -> (builder) -> options.set(builder.build()))
			.run((context) -> {
				assertThat(context).hasSingleBean(AsynqClient.class);
				assertThat(options.get().maxPayloadSize()).isEqualTo(2048);
				var defaults = options.get().defaults("email:send");
				assertThat(defaults.queue()).isEqualTo("mail");
				assertThat(defaults.maxRetry()).isEqualTo(3);
				assertThat(defaults.timeout()).isEqualTo(Duration.ofSeconds(20));
				assertThat(defaults.retention()).isEqualTo(Duration.ofHours(1));
				assertThat(defaults.uniqueTtl()).isEqualTo(Duration.ofMinutes(5));
			});
	}

	@ParameterizedTest
	@CsvSource({ "asynq.client.max-payload-size, 0B, asynq.client.max-payload-size",
			"asynq.client.tasks.mail.queue, ' ', asynq.client.tasks.[mail]",
			"asynq.client.tasks.mail.unique, 10ms, asynq.client.tasks.[mail]",
			"asynq.client.tasks.mail.timeout, 10ms, asynq.client.tasks.[mail]" })
	void failureNamesInvalidProperty(String property, String value, String named) {
		this.runner.withInitializer(AsynqContexts.properties(property + "=" + value))
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains(named));
	}

	record Order(String orderId) {
	}

	@Configuration(proxyBeanMethods = false)
	static class SecondRedis {

		@Bean(defaultCandidate = false)
		@AsynqRedis
		RedisConnectionFactory second() {
			return mock();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ServerRedis {

		@Bean(defaultCandidate = false)
		@AsynqServerRedis
		RedisConnectionFactory forTheServer() {
			return mock();
		}

	}

}
