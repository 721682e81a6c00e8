package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.AsynqClient;
import io.asynq.Broker;
import io.asynq.ClientOptions;
import io.asynq.EnqueueInterceptor;
import io.asynq.OutgoingTask;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.context.ContextPropagator;
import io.asynq.context.ContextPropagators;
import io.asynq.event.TaskEvent;
import io.asynq.event.TaskListener;
import io.asynq.inspect.AsynqInspector;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.TaskMessageFactory;
import io.asynq.internal.enqueue.TaskOutbox;
import io.asynq.internal.redis.ServerConnections;
import io.asynq.payload.PayloadConverter;
import io.asynq.server.AsynqServer;
import io.asynq.server.BrokenTask;
import io.asynq.server.BrokenTaskListener;
import io.asynq.server.ServerPolicies;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;
import org.slf4j.MDC;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;
import redis.clients.jedis.Jedis;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class AsynqAutoConfigurationTests {

	private static final String AFTER_COMMIT = "asynq.client.after-commit=true";

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
	void enqueueInterceptorsAreUsedInOrderByClientAndAggregators() {
		this.runner.withUserConfiguration(Interceptors.class).run((context) -> {
			Interceptors beans = context.getBean(Interceptors.class);
			List<EnqueueInterceptor> ordered = List.of(beans.first, beans.second);
			assertThat(context.getBean(ClientOptions.class).interceptors()).isEqualTo(ordered);
			assertThat(context.getBean(ServerPolicies.class).interceptors()).isEqualTo(ordered);
		});
	}

	@Test
	void contextComesFromPropertyAndBeansBeforeInterceptors() {
		this.runner.withPropertyValues("asynq.context.headers=tenant, request-id")
			.withBean(EnqueueInterceptor.class, () -> (task) -> task.header("seen", task.headers().get("tenant")))
			.withBean(ContextPropagator.class, () -> new FixedContext("locale", "de"))
			.run((context) -> {
				MDC.put("tenant", "acme");
				try {
					assertThat(headers(context.getBean(ClientOptions.class).interceptors())).containsOnly(
							Map.entry("tenant", "acme"), Map.entry("locale", "de"), Map.entry("seen", "acme"));
					assertThat(headers(context.getBean(ServerPolicies.class).interceptors())).containsKey("locale");
				}
				finally {
					MDC.remove("tenant");
				}
				try (ContextPropagator.Scope scope = context.getBean(ServerPolicies.class)
					.contexts()
					.open(Map.of("request-id", "r1"))) {
					assertThat(MDC.get("request-id")).isEqualTo("r1");
				}
			});
	}

	@Test
	void withoutContextNothingIsCarried() {
		this.runner.run((context) -> {
			assertThat(context.getBean(ContextPropagators.class)).isSameAs(ContextPropagators.none());
			assertThat(context.getBean(ClientOptions.class).interceptors()).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "traceparent", "B3", "asynq.task.id", "x-asynq-trace", "X-B3-TraceId" })
	void contextHeaderThatIsUsedOtherwiseStopsTheStart(String name) {
		this.runner.withPropertyValues("asynq.context.headers=tenant," + name)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidAsynqPropertyException.class)
				.hasMessageContainingAll("asynq.context.headers", name, "choose another name"));
	}

	@Test
	void keepsTextUnchangedWithoutJackson() {
		this.runner.withClassLoader(new FilteredClassLoader(JsonMapper.class)).run((context) -> {
			assertThat(context).hasSingleBean(AsynqClient.class);
			assertThat(context.getBean(PayloadConverter.class).toBytes("text")).asString().isEqualTo("text");
		});
	}

	@Test
	void backsOffForBeansOfApplication() {
		AsynqClient client = mock();
		PayloadConverter converter = mock();
		Broker broker = Broker.create(new JedisConnectionFactory(), Clock.systemUTC());
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
	void waitsForTransactionsOnlyIfAsked() {
		this.runner.run((context) -> assertThat(context.getBean(ClientOptions.class).afterCommit()).isFalse());
		this.runner.withPropertyValues(AFTER_COMMIT).run((context) -> {
			AsynqClient client = context.getBean(AsynqClient.class);
			assertThat(client.afterCommit()).isSameAs(client);
		});
	}

	@Test
	void refusesToWaitForTransactionsThatAreAllReactive() {
		ApplicationContextRunner reactive = this.runner.withBean(ReactiveTransactionManager.class, Mockito::mock);
		reactive.run((context) -> assertThat(context).hasNotFailed());
		reactive.withPropertyValues(AFTER_COMMIT)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidAsynqPropertyException.class)
				.hasMessageContaining("'asynq.client.after-commit'")
				.hasMessageContaining("All transactions of this application are reactive"));
		reactive.withPropertyValues(AFTER_COMMIT)
			.withBean(PlatformTransactionManager.class, Mockito::mock)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void urlThatNobodyReadsMayBeAnything() {
		ApplicationContextRunner unreadable = this.runner.withPropertyValues("spring.data.redis.url=none");
		unreadable.run((context) -> assertThat(context).getFailure()
			.isInstanceOf(InvalidAsynqPropertyException.class)
			.hasMessageContaining("spring.data.redis.url"));
		unreadable.withBean(RedisConnectionFactory.class, JedisConnectionFactory::new)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(AsynqClient.class));
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
	@ValueSource(classes = { TwoRedis.class, ThreeRedis.class, TwoTaskRedis.class })
	void severalConnectionFactoriesOfWhichNoneIsMeantAreExplained(Class<?> factories) {
		this.runner.withUserConfiguration(factories).run((context) -> {
			FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("first", "other").contains("asynq");
			assertThat(analysis.getAction()).contains("@AsynqRedis", "@Primary");
		});
	}

	@Test
	void severalConnectionFactoriesForTheServerAreExplained() {
		this.runner.withUserConfiguration(TwoServerRedis.class).run((context) -> {
			FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("first", "other").contains("asynq");
			assertThat(analysis.getAction()).contains("@AsynqServerRedis").doesNotContain("@Primary");
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { PrimaryRedis.class, MarkedRedis.class })
	void severalConnectionFactoriesOfWhichOneIsMeantStart(Class<?> factories) {
		this.runner.withUserConfiguration(factories)
			.run((context) -> assertThat(context.getBean(AsynqConnectionFactory.class).value())
				.isSameAs(context.getBean("other")));
	}

	@Test
	void whatElseNeedsOneConnectionFactoryIsExplainedBySpringBoot() {
		this.runner.withUserConfiguration(MarkedRedis.class)
			.withBean("cache", Cache.class)
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getAction())
				.contains("@Primary")
				.doesNotContain("@AsynqRedis"));
	}

	@ParameterizedTest
	@ValueSource(classes = { AskingInterceptor.class, AskingBrokenTaskListener.class, AskingPropagator.class,
			AskingCustomizer.class, AskingJsonCustomizer.class, AskingOutbox.class, AskingTaskListener.class })
	void clientCanBeInjectedIntoBeansThatItNeeds(Class<? extends Asking> type) {
		this.runner.withBean(type).run((context) -> {
			assertThat(context).hasNotFailed();
			AsynqClient client = context.getBean(AsynqClient.class);
			assertThat(context.getBean(type).client()).isSameAs(client);
			assertThat(client.task("mail", "Ada").type()).isEqualTo("mail");
			assertThat(client.afterCommit()).isSameAs(client.afterCommit());
		});
	}

	@Test
	void inspectorCanBeInjectedIntoABeanThatTheBrokerNeeds() {
		this.runner.withBean(InspectingListener.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void nativeImageHasTheProxyOfTheClient() {
		RuntimeHints hints = new RuntimeHints();
		new AsynqAutoConfiguration.ClientHints().registerHints(hints, null);
		this.runner.run((context) -> {
			Class<?>[] interfaces = context.getBean(AsynqClient.class).getClass().getInterfaces();
			assertThat(RuntimeHintsPredicates.proxies().forInterfaces(interfaces)).accepts(hints);
		});
	}

	@Test
	void settingsOfTheClientAreCheckedAtTheStartAlthoughItIsCreatedLater() {
		this.runner.withPropertyValues("asynq.client.max-payload-size=0B")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidAsynqPropertyException.class));
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
					"asynq.client.share-calls=false", "asynq.client.tasks.[email:send].queue=mail",
					"asynq.client.tasks.[email:send].max-retry=3", "asynq.client.tasks.[email:send].timeout=20s",
					"asynq.client.tasks.[email:send].retention=1h", "asynq.client.tasks.[email:send].unique=5m"))
			.withBean(AsynqClientCustomizer.class, () -> (builder) -> options.set(builder.build()))
			.run((context) -> {
				assertThat(context).hasSingleBean(AsynqClient.class);
				assertThat(options.get().maxPayloadSize()).isEqualTo(2048);
				assertThat(options.get().shareCalls()).isFalse();
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

	@Configuration(proxyBeanMethods = false)
	static class Interceptors {

		final EnqueueInterceptor first = (task) -> {
		};

		final EnqueueInterceptor second = (task) -> {
		};

		@Bean
		@org.springframework.core.annotation.Order(2)
		EnqueueInterceptor declaredFirst() {
			return this.second;
		}

		@Bean
		@org.springframework.core.annotation.Order(1)
		EnqueueInterceptor declaredSecond() {
			return this.first;
		}

	}

	private static Map<String, String> headers(List<EnqueueInterceptor> interceptors) {
		TaskMessageFactory messages = new TaskMessageFactory(Clock.systemUTC(), interceptors);
		return messages.create(Task.of("mail", ""), TaskOptions.none()).message().headers();
	}

	private record FixedContext(String name, String value) implements ContextPropagator {

		@Override
		public Map<String, String> capture() {
			return Map.of(this.name, this.value);
		}

		@Override
		public Scope open(Map<String, String> headers) {
			return Scope.NONE;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoRedis {

		@Bean
		RedisConnectionFactory first() {
			return new JedisConnectionFactory();
		}

		@Bean
		RedisConnectionFactory other() {
			return new JedisConnectionFactory();
		}

	}

	static class ThreeRedis extends TwoRedis {

		@Bean
		RedisConnectionFactory third() {
			return new JedisConnectionFactory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoTaskRedis {

		@Bean
		@AsynqRedis
		RedisConnectionFactory first() {
			return new JedisConnectionFactory();
		}

		@Bean
		@AsynqRedis
		RedisConnectionFactory other() {
			return new JedisConnectionFactory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoServerRedis {

		@Bean(defaultCandidate = false)
		@AsynqServerRedis
		RedisConnectionFactory first() {
			return new JedisConnectionFactory();
		}

		@Bean(defaultCandidate = false)
		@AsynqServerRedis
		RedisConnectionFactory other() {
			return new JedisConnectionFactory();
		}

		@Bean
		RedisConnectionFactory third() {
			return new JedisConnectionFactory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryRedis {

		@Bean
		RedisConnectionFactory first() {
			return new JedisConnectionFactory();
		}

		@Bean
		@Primary
		RedisConnectionFactory other() {
			return new JedisConnectionFactory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedRedis {

		@Bean
		RedisConnectionFactory first() {
			return new JedisConnectionFactory();
		}

		@Bean
		@AsynqRedis
		RedisConnectionFactory other() {
			return new JedisConnectionFactory();
		}

	}

	record Cache(RedisConnectionFactory connections) {
	}

	/** A bean that the client needs, and that enqueues. */
	interface Asking {

		AsynqClient client();

	}

	record AskingInterceptor(AsynqClient client) implements Asking, EnqueueInterceptor {

		@Override
		public void beforeEnqueue(OutgoingTask task) {
			task.header("seen", "yes");
		}

	}

	record AskingBrokenTaskListener(AsynqClient client) implements Asking, BrokenTaskListener {

		@Override
		public void onBrokenTask(BrokenTask task) {
		}

	}

	record InspectingListener(AsynqInspector inspector) implements BrokenTaskListener {

		@Override
		public void onBrokenTask(BrokenTask task) {
		}

	}

	record AskingPropagator(AsynqClient client) implements Asking, ContextPropagator {

		@Override
		public Map<String, String> capture() {
			return Map.of();
		}

		@Override
		public Scope open(Map<String, String> headers) {
			return Scope.NONE;
		}

	}

	record AskingCustomizer(AsynqClient client) implements Asking, AsynqClientCustomizer {

		@Override
		public void customize(ClientOptions.Builder options) {
		}

	}

	record AskingJsonCustomizer(AsynqClient client) implements Asking, AsynqJsonMapperCustomizer {

		@Override
		public void customize(JsonMapper.Builder builder) {
		}

	}

	record AskingOutbox(AsynqClient client) implements Asking, TaskOutbox {

		@Override
		public void write(List<EnqueueRequest> requests) {
		}

	}

	record AskingTaskListener(AsynqClient client) implements Asking, TaskListener {

		@Override
		public void onTaskEvent(TaskEvent event) {
		}

	}

}
