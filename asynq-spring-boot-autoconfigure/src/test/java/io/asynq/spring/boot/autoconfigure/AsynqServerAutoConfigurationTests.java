package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.FailurePredicate;
import io.asynq.RetryDelayPolicy;
import io.asynq.Task;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskErrorHandler;
import io.asynq.handler.TaskInterceptor;
import io.asynq.handler.TaskMux;
import io.asynq.handler.TypePattern;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.schedule.SchedulerOptions;
import io.asynq.server.AsynqServer;
import io.asynq.server.HealthCheckListener;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerPolicies;
import io.asynq.server.ServerState;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.TaskDecorator;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.test.context.support.TestPropertySourceUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

@ExtendWith(OutputCaptureExtension.class)
class AsynqServerAutoConfigurationTests {

	private final ApplicationContextRunner runner = AsynqContexts.wired();

	@Test
	void componentsAreLifecycleBeansAndSendersStopBeforeReceivers() {
		this.runner.run((context) -> {
			List<String> byPhase = context.getBeansOfType(SmartLifecycle.class)
				.entrySet()
				.stream()
				.filter((bean) -> isOfServer(bean.getValue()))
				.sorted((a, b) -> Integer.compare(a.getValue().getPhase(), b.getValue().getPhase()))
				.map((bean) -> bean.getKey())
				.toList();
			assertThat(byPhase).containsExactly("asynqPreflight", "asynqHeartbeater", "asynqHealthChecker",
					"asynqAggregator", "asynqJanitor", "asynqUnhandledTasks", "asynqSubscriber", "asynqSyncer",
					"asynqLimits", "asynqDeadlineWatch", "asynqRecoverer", "asynqProcessor", "asynqArrivalWatch",
					"asynqForwarder");
		});
	}

	@Test
	void stopsBeforeWebServersAndRedisConnections() {
		this.runner.run((context) -> assertThat(serverComponents(context)).isNotEmpty()
			.allMatch((component) -> component.getPhase() > SmartLifecycle.DEFAULT_PHASE - 1024)
			.allMatch((component) -> component.getPhase() < SmartLifecycle.DEFAULT_PHASE - 100));
	}

	@Test
	void startsNothingWithoutHandlersAndLogsOnce(CapturedOutput output) {
		AsynqContexts.started().run((context) -> {
			assertThat(serverComponents(context)).isNotEmpty().noneMatch(SmartLifecycle::isRunning);
			assertThat(context.getBean(AsynqServer.class).state()).isEqualTo(ServerState.NEW);
			assertThat(context).hasSingleBean(AsynqClient.class);
		});
		assertThat(output.getOut().lines().filter((line) -> line.contains("asynq"))).singleElement()
			.asString()
			.contains("INFO", "does not start", "@TaskHandler", "asynq.server.enabled");
	}

	@Test
	void autoStartupCanBeDisabled() {
		this.runner.withBean(AsynqContexts.Greeter.class)
			.run((context) -> assertThat(serverComponents(context)).isNotEmpty().noneMatch(SmartLifecycle::isRunning));
	}

	@Test
	void warnsThatCustomBrokerSharesConnectionsOfApplication(CapturedOutput output) {
		AsynqContexts.started()
			.withBean(AsynqContexts.Greeter.class)
			.withBean(RedisBroker.class, () -> new RedisBroker(new JedisConnectionFactory(), Clock.systemUTC(),
					RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
					}))
			.run((context) -> assertThat(output).contains("shares the application's Redis connections",
					"RedisBroker bean was created without ServerConnections"));
	}

	@ParameterizedTest
	@CsvSource({ "spring.data.redis.url=redis://localhost:1/3, ''", "spring.data.redis.host=localhost, ''",
			"spring.data.redis.url=redis://localhost:1, spring.data.redis.port=2",
			"spring.data.redis.cluster.nodes[0]=localhost:1, spring.data.redis.url=redis://localhost:2" })
	void warnsOfATestWhoseServerWorksOnARedisThatItHasNotStarted(String settings, String ofTest,
			CapturedOutput output) {
		test(settings, ofTest)
			.run((context) -> assertThat(output.getOut().lines().filter((line) -> line.contains("of this test")))
				.singleElement()
				.asString()
				.contains(" WARN ", "works on a Redis that the test has not started",
						"'" + settings.replaceAll("(\\[0])?=.*", "") + "'", "@AutoConfigureAsynq")
				.doesNotContain("localhost:"));
	}

	@ParameterizedTest
	@CsvSource({ "spring.data.redis.host=localhost, spring.data.redis.port=2",
			"spring.data.redis.port=1, spring.data.redis.url=redis://localhost:2",
			"spring.data.redis.url=redis://localhost:1, spring.data.redis.url=redis://localhost:2",
			"spring.data.redis.url=redis://localhost:1, spring.data.redis.cluster.nodes[0]=localhost:2" })
	void doesNotWarnOfATestThatHasSetItsRedis(String settings, String ofTest, CapturedOutput output) {
		test(settings, ofTest).run((context) -> assertThat(output).doesNotContain("of this test"));
	}

	@Test
	void doesNotWarnOfATestThatBringsItsConnections(CapturedOutput output) {
		test("spring.data.redis.url=redis://localhost:1", "").withBean(JedisConnectionFactory.class)
			.run((context) -> assertThat(context).hasNotFailed());
		test("spring.data.redis.url=redis://localhost:1", "")
			.withBean(DataRedisConnectionDetails.class, () -> new DataRedisConnectionDetails() {

				@Override
				public Standalone getStandalone() {
					return Standalone.of("localhost", 2);
				}

			})
			.run((context) -> assertThat(context).hasNotFailed());
		test("spring.data.redis.url=redis://localhost:1", "")
			.withBean(RedisBroker.class, () -> new RedisBroker(new JedisConnectionFactory(), Clock.systemUTC(),
					RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
					}))
			.run((context) -> assertThat(context).hasNotFailed());
		AsynqContexts.started()
			.withBean(AsynqContexts.Greeter.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("of this test");
	}

	private static ApplicationContextRunner test(String settings, String ofTest) {
		return AsynqContexts.started()
			.withBean(AsynqContexts.Greeter.class)
			.withInitializer((context) -> context.getEnvironment().getPropertySources().remove("test"))
			.withInitializer(AsynqContexts.properties(settings, "spring.data.redis.client-type=lettuce"))
			.withInitializer((context) -> TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context,
					ofTest.isEmpty() ? "in.a.test=true" : ofTest));
	}

	@Test
	void disabledServerLeavesClientOnly() {
		AsynqContexts.started()
			.withBean(AsynqContexts.Greeter.class)
			.withPropertyValues("asynq.server.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(AsynqClient.class)
				.doesNotHaveBean(AsynqServer.class)
				.doesNotHaveBean(TaskMux.class)
				.doesNotHaveBean("asynqProcessor"));
	}

	@Test
	void registersAnnotatedMethods() {
		this.runner.withBean(AsynqContexts.Greeter.class)
			.run((context) -> assertThat(context.getBean(TaskMux.class).patterns())
				.containsExactly(TypePattern.exact("greet")));
	}

	@Test
	void matchesTypesByPrefixOnRequest() {
		this.runner.withBean(AsynqContexts.Greeter.class)
			.withPropertyValues("asynq.server.handler-matching=prefix")
			.run((context) -> assertThat(context.getBean(TaskMux.class).patterns())
				.containsExactly(TypePattern.prefix("greet")));
	}

	@Test
	void registersAnnotatedMethodsOfLazyBeans() {
		this.runner.withBean(AsynqContexts.Greeter.class)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				assertThat(context.getBeanFactory().containsSingleton("asynqTaskMux")).isTrue();
				assertThat(context.getBean(TaskMux.class).patterns()).containsExactly(TypePattern.exact("greet"));
				assertThat(context.getBeanFactory().containsSingleton("asynqClient")).isFalse();
			});
	}

	@Test
	void callsInterceptorsInOrder() {
		this.runner.withUserConfiguration(Interceptors.class).run((context) -> {
			TaskMux mux = context.getBean(TaskMux.class);
			mux.handle("greet", (task, attempt) -> null);
			mux.processTask(Task.of("greet", "Ada"), mock(TaskContext.class));
			assertThat(context.getBean(Interceptors.class).calls).containsExactly("outer", "inner");
		});
	}

	@Test
	void appliesCustomizersInOrderAfterProperties() {
		this.runner.withPropertyValues("asynq.server.concurrency=3")
			.withUserConfiguration(Customizers.class)
			.run((context) -> assertThat(context.getBean(ServerOptions.class).concurrency()).isEqualTo(5));
	}

	@Test
	void usesPoliciesOfApplication() {
		RetryDelayPolicy delay = mock();
		FailurePredicate failures = mock();
		TaskErrorHandler errors = mock();
		HealthCheckListener health = mock();
		TaskDecorator decorator = mock();
		this.runner.withBean(RetryDelayPolicy.class, () -> delay)
			.withBean(FailurePredicate.class, () -> failures)
			.withBean(TaskErrorHandler.class, () -> errors)
			.withBean(HealthCheckListener.class, () -> health)
			.withBean(TaskDecorator.class, () -> decorator)
			.run((context) -> assertThat(context.getBean(ServerPolicies.class))
				.isEqualTo(new ServerPolicies(delay, failures, errors, health, decorator)));
	}

	@Test
	void optionsAndPoliciesOfApplicationReplaceDefaults() {
		ServerOptions options = ServerOptions.builder().concurrency(3).build();
		SchedulerOptions scheduler = SchedulerOptions.builder().clock(Clock.systemUTC()).build();
		this.runner.withBean(ServerOptions.class, () -> options)
			.withBean(ServerPolicies.class, ServerPolicies::defaults)
			.withBean(SchedulerOptions.class, () -> scheduler)
			.run((context) -> {
				assertThat(context).hasSingleBean(ServerPolicies.class);
				assertThat(context.getBean(ServerOptions.class)).isSameAs(options);
				assertThat(context.getBean(SchedulerOptions.class)).isSameAs(scheduler);
			});
	}

	@Test
	void doesNotHandleTstpUnderDevTools() {
		this.runner.run((context) -> assertThat(context.getBean(ServerOptions.class).handleTstp()).isTrue());
		ClassLoader devTools = new ByteBuddy().subclass(Object.class)
			.name("org.springframework.boot.devtools.restart.Restarter")
			.make()
			.load(getClass().getClassLoader(), ClassLoadingStrategy.Default.WRAPPER)
			.getLoaded()
			.getClassLoader();
		this.runner.withClassLoader(devTools)
			.run((context) -> assertThat(context.getBean(ServerOptions.class).handleTstp()).isFalse());
	}

	@Test
	void clockBeanCanBeReplaced() {
		Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
		this.runner.withBean("asynqClock", Clock.class, () -> clock).run((context) -> {
			assertThat(context.getBean(ClientOptions.class).clock()).isSameAs(clock);
			assertThat(context.getBean(SchedulerOptions.class).clock()).isSameAs(clock);
		});
	}

	@Test
	void otherClocksOfApplicationAreIgnored() {
		Clock business = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
		this.runner.withBean("one", Clock.class, () -> business)
			.withBean("other", Clock.class, () -> business)
			.run((context) -> assertThat(context.getBean(ClientOptions.class).clock()).isNotSameAs(business));
		this.runner.withBean("one", Clock.class, () -> business)
			.withBean(Till.class)
			.run((context) -> assertThat(context.getBean(Till.class).time()).isSameAs(business));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void usesVirtualThreadsLikeSpring() {
		this.runner.withPropertyValues("spring.threads.virtual.enabled=true")
			.run((context) -> assertThat(context.getBean(ServerOptions.class).virtualThreads()).isTrue());
	}

	@Test
	@EnabledForJreRange(max = JRE.JAVA_20)
	void usesPlatformThreadsOnOlderJava() {
		this.runner.withPropertyValues("spring.threads.virtual.enabled=true")
			.run((context) -> assertThat(context.getBean(ServerOptions.class).virtualThreads()).isFalse());
	}

	@Test
	void usesPlatformThreadsByDefault() {
		this.runner.run((context) -> assertThat(context.getBean(ServerOptions.class).virtualThreads()).isFalse());
	}

	private static List<SmartLifecycle> serverComponents(ApplicationContext context) {
		return context.getBeansOfType(SmartLifecycle.class)
			.values()
			.stream()
			.filter(AsynqServerAutoConfigurationTests::isOfServer)
			.toList();
	}

	/** Connections, events and schedulers run without a server, too. */
	private static boolean isOfServer(SmartLifecycle bean) {
		String name = bean.getClass().getPackageName();
		return name.startsWith("io.asynq.operations") || name.startsWith("io.asynq.internal")
				&& Stream.of("redis", "event", "schedule").noneMatch((other) -> name.endsWith("." + other));
	}

	record Till(Clock time) {
	}

	@Configuration(proxyBeanMethods = false)
	static class Interceptors {

		final List<String> calls = new ArrayList<>();

		@Bean
		@Order(2)
		TaskInterceptor inner() {
			return named("inner");
		}

		@Bean
		@Order(1)
		TaskInterceptor outer() {
			return named("outer");
		}

		private TaskInterceptor named(String name) {
			return (task, context, next) -> {
				this.calls.add(name);
				return next.processTask(task, context);
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		@Bean
		@Order(2)
		AsynqServerCustomizer second() {
			return (options) -> options.concurrency(5);
		}

		@Bean
		@Order(1)
		AsynqServerCustomizer first() {
			return (options) -> options.concurrency(4);
		}

	}

}
