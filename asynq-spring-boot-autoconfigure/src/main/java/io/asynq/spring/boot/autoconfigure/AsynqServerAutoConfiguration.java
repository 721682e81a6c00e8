package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;

import io.asynq.Broker;
import io.asynq.handler.TaskAggregators;
import io.asynq.handler.TaskInterceptor;
import io.asynq.handler.TaskMux;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.event.Observers;
import io.asynq.internal.method.TaskAggregatorRegistrar;
import io.asynq.internal.method.TaskHandlerMethodRegistrar;
import io.asynq.internal.redis.ServerConnections;
import io.asynq.internal.server.ServerComponents;
import io.asynq.limit.TaskLimits;
import io.asynq.operations.preflight.Finding;
import io.asynq.operations.preflight.Preflight;
import io.asynq.operations.preflight.StoreCheck;
import io.asynq.payload.PayloadConverter;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerPolicies;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * The server's components start with the application if there is a handler or an
 * aggregator.
 */
@AutoConfiguration(after = AsynqAutoConfiguration.class)
@ConditionalOnBean(Broker.class)
@ConditionalOnBooleanProperty(name = "asynq.server.enabled", matchIfMissing = true)
@Conditional(OnHandlersHere.class)
@Import(ServerComponentBeans.class)
public final class AsynqServerAutoConfiguration {

	// @Fallback: those of a child context, whatever their names, go before the parent's

	@Bean
	static LazyInitializationExcludeFilter asynqLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(TaskHandlerMethodRegistrar.class,
				TaskAggregatorRegistrar.class, ServerComponents.class);
	}

	@Bean
	@Fallback
	@Conditional(OnMissingHere.class)
	TaskMux asynqTaskMux(ObjectProvider<TaskInterceptor> interceptors) {
		TaskMux mux = new TaskMux();
		interceptors.orderedStream().forEach(mux::use);
		return mux;
	}

	@Bean
	@Conditional(OnMissingHere.class)
	TaskHandlerMethodRegistrar asynqTaskHandlerMethodRegistrar(TaskMux handlers, PayloadConverter payloadConverter,
			ObjectProvider<ServerOptions> options, AsynqProperties properties, ConfigurableListableBeanFactory beans) {
		properties.server().applyRetry(handlers);
		return new TaskHandlerMethodRegistrar(handlers, payloadConverter, () -> options.getObject().limits().keySet(),
				properties.server().handlerMatching(), beans);
	}

	@Bean
	@Fallback
	@Conditional(OnMissingHere.class)
	TaskAggregators asynqTaskAggregators() {
		return new TaskAggregators();
	}

	@Bean
	@Conditional(OnMissingHere.class)
	TaskAggregatorRegistrar asynqTaskAggregatorRegistrar(TaskAggregators aggregators, PayloadConverter payloadConverter,
			ObjectProvider<ServerOptions> servers, ConfigurableListableBeanFactory beans) {
		return new TaskAggregatorRegistrar(aggregators, payloadConverter, servers, beans);
	}

	@Bean
	@ConditionalOnMissingBean
	ServerOptions asynqServerOptions(AsynqProperties properties, Environment environment, BeanFactory beans,
			ObjectProvider<AsynqServerCustomizer> customizers) {
		return properties.serverOptions(environment, beans, customizers.orderedStream().toList());
	}

	@Bean
	@Fallback
	@Conditional(OnMissingHere.class)
	ServerPolicies asynqServerPolicies(BeanFactory beans) {
		return new PolicyBeans(beans).collect();
	}

	@Bean
	ServerAutoStartup asynqServerAutoStartup(AsynqProperties properties, TaskMux handlers, TaskAggregators aggregators,
			ServerOptions options, ObjectProvider<LifecycleProperties> lifecycle, Broker broker,
			ObjectProvider<AsynqConnectionFactory> connectionFactory, ConfigurableApplicationContext context) {
		ServerAdvice advice = new ServerAdvice(options,
				lifecycle.getIfAvailable(LifecycleProperties::new).getTimeoutPerShutdownPhase(),
				RedisBroker.of(broker).hasOwnConnections(),
				connectionFactory.stream()
					.findFirst()
					.map((factory) -> ServerConnections.commandTimeout(factory.value()))
					.orElse(null));
		return new ServerAutoStartup(properties.server().autoStartup(), handlers, aggregators, () -> {
			advice.run();
			new StartAdvice(context).run();
		});
	}

	@Bean
	Preflight asynqPreflight(Broker broker, ServerOptions options, AsynqProperties properties,
			ServerAutoStartup autoStartup, ObjectProvider<AsynqConnectionFactory> connectionFactory,
			@Qualifier("asynqClock") Clock clock) {
		boolean shared = !RedisBroker.of(broker).hasOwnConnections();
		List<Finding> settings = connectionFactory.stream()
			.map(AsynqConnectionFactory::value)
			.flatMap((factory) -> Stream.concat(Connections.checkPool(factory, options.concurrency(), shared).stream(),
					Connections.checkSentinel(factory).stream()))
			.toList();
		return new Preflight(() -> new StoreCheck(broker, clock).check(), settings, properties.server().preflight(),
				autoStartup);
	}

	@Bean
	ServerComponents asynqServerComponents(Broker broker, TaskMux handlers, TaskAggregators aggregators,
			ServerOptions options, ServerPolicies policies, Observers observers, @Qualifier("asynqClock") Clock clock,
			ServerAutoStartup autoStartup) {
		return new ServerComponents(RedisBroker.of(broker), handlers, aggregators, options, policies, observers, clock,
				autoStartup);
	}

	@Bean
	@ConditionalOnMissingBean
	TaskLimits asynqTaskLimits(Broker broker) {
		return TaskLimits.create(broker);
	}

	@Bean
	AsynqServer asynqServer(ServerComponents components) {
		return components.server();
	}

}
