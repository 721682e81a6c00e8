package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;

import io.asynq.AsynqClient;
import io.asynq.Broker;
import io.asynq.ClientOptions;
import io.asynq.context.ContextPropagator;
import io.asynq.context.ContextPropagators;
import io.asynq.handler.TaskMux;
import io.asynq.inspect.AsynqInspector;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.TaskOutbox;
import io.asynq.internal.event.Observers;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.redis.ServerConnections;
import io.asynq.internal.worker.BrokenTasks;
import io.asynq.operations.repair.QueueRepair;
import io.asynq.payload.DefaultPayloadConverter;
import io.asynq.payload.PayloadConverter;
import io.asynq.server.BrokenTaskListener;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.AbstractLazyCreationTargetSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Uses the application's connections to Redis; its own templates and listener containers
 * are not beans.
 */
@AutoConfiguration(after = DataRedisAutoConfiguration.class,
		afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnClass({ AsynqClient.class, RedisConnectionFactory.class })
@EnableConfigurationProperties(AsynqProperties.class)
@ImportRuntimeHints(AsynqAutoConfiguration.ClientHints.class)
public final class AsynqAutoConfiguration {

	AsynqAutoConfiguration(Environment environment, ListableBeanFactory beans) {
		MapKeys.check(environment);
		ConfigurationCheck.run(environment, beans);
	}

	@Bean
	static LazyInitializationExcludeFilter asynqHandlersLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(HandlerDefaults.class, MissedHandlers.class);
	}

	@Bean
	static RedisUrlCheck asynqRedisUrlCheck(Environment environment) {
		return new RedisUrlCheck(environment);
	}

	@Bean
	static HandlerDefaults.OfClients asynqClientHandlerDefaults(ObjectProvider<HandlerDefaults> handlers) {
		return new HandlerDefaults.OfClients(handlers);
	}

	/**
	 * Known by its name, because a clock of the application's business must not move its
	 * queues.
	 */
	@Bean(defaultCandidate = false)
	@ConditionalOnMissingBean(name = "asynqClock")
	Clock asynqClock() {
		return Clock.systemUTC();
	}

	@Bean
	@ConditionalOnBean(Broker.class)
	@ConditionalOnMissingBean
	ClientOptions asynqClientOptions(@Qualifier("asynqClock") Clock clock, PayloadConverter payloadConverter,
			AsynqProperties properties, ContextPropagators contexts, ObjectProvider<AsynqClientCustomizer> customizers,
			ListableBeanFactory beans) {
		if (properties.client().afterCommit()) {
			AfterCommitCheck.refuseReactive(beans);
		}
		ClientOptions.Builder options = ClientOptions.builder().clock(clock).payloadConverter(payloadConverter);
		new PolicyBeans(beans).interceptors(contexts).forEach(options::interceptor);
		properties.client().applyTo(options);
		customizers.orderedStream().forEach((customizer) -> customizer.customize(options));
		return options.build();
	}

	@Bean
	@ConditionalOnBean(Broker.class)
	HandlerDefaults asynqHandlerDefaults(ObjectProvider<TaskMux> handlers, ApplicationContext context) {
		ApplicationContext parent = context.getParent();
		return new HandlerDefaults(handlers,
				(parent != null) ? parent.getBeanProvider(HandlerDefaults.class).getIfAvailable() : null);
	}

	@Bean
	@ConditionalOnBean(Broker.class)
	MissedHandlers asynqMissedHandlers(AsynqProperties properties, PayloadConverter payloadConverter,
			ConfigurableListableBeanFactory beans) {
		return new MissedHandlers(properties, payloadConverter, beans);
	}

	@Bean
	@ConditionalOnBean(Broker.class)
	@ConditionalOnMissingBean
	TaskEvents asynqTaskEvents(AsynqProperties properties, ApplicationContext context, ContextPropagators contexts) {
		return TaskListeners.of(context, properties.server().publishEvents(), contexts);
	}

	@Bean
	@ConditionalOnBean(Broker.class)
	Observers asynqObservers(TaskEvents events, ObjectProvider<TaskObservations> observations) {
		return new Observers(events, observations.getIfAvailable(TaskObservations::none));
	}

	@Bean
	@ConditionalOnBean(Broker.class)
	@ConditionalOnMissingBean
	ContextPropagators asynqContextPropagators(AsynqProperties properties,
			ObjectProvider<ContextPropagator> propagators) {
		return properties.context().propagators(propagators.orderedStream());
	}

	/** Created at the first call: beans that its options need may enqueue as well. */
	@Bean
	@ConditionalOnBean(Broker.class)
	@ConditionalOnMissingBean
	AsynqClient asynqClient(Broker broker, ObjectProvider<ClientOptions> options, ObjectProvider<Observers> observers,
			ObjectProvider<TaskOutbox> outbox) {
		return ProxyFactory.getProxy(AsynqClient.class, new AbstractLazyCreationTargetSource() {

			@Override
			protected Object createObject() {
				return RedisBroker.of(broker)
					.client(options.getObject(), observers.getObject(), outbox.getIfAvailable());
			}

		});
	}

	@Bean
	@ConditionalOnBean(Broker.class)
	@ConditionalOnMissingBean
	AsynqInspector asynqInspector(Broker broker, @Qualifier("asynqClock") Clock clock) {
		return AsynqInspector.create(broker, clock);
	}

	@Bean
	@ConditionalOnBean(Broker.class)
	@ConditionalOnMissingBean
	QueueRepair asynqQueueRepair(Broker broker) {
		return new QueueRepair(broker);
	}

	@Bean
	@ConditionalOnBean(Broker.class)
	StartReport asynqStartReport(ApplicationContext context) {
		return new StartReport(context, StartReport.PAUSE);
	}

	/** A native image has the proxies only that are named when it is built. */
	static final class ClientHints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.proxies().registerJdkProxy(AopProxyUtils.completeJdkProxyInterfaces(AsynqClient.class));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(RedisConnectionFactory.class)
	@ConditionalOnMissingBean(Broker.class)
	static class RedisConfiguration {

		@Bean
		@ConditionalOnMissingBean
		BrokenTasks asynqBrokenTasks() {
			return new BrokenTasks();
		}

		@Bean(AmbiguousRedisFailureAnalyzer.CONNECTIONS)
		AsynqConnectionFactory asynqConnectionFactory(@AsynqRedis ObjectProvider<RedisConnectionFactory> dedicated,
				ObjectProvider<RedisConnectionFactory> primary) {
			return new AsynqConnectionFactory(dedicated.getIfAvailable(primary::getObject));
		}

		@Bean(AmbiguousRedisFailureAnalyzer.SERVER_CONNECTIONS)
		ServerConnections asynqServerConnections(AsynqConnectionFactory connectionFactory,
				@AsynqServerRedis ObjectProvider<RedisConnectionFactory> server,
				@Value("${asynq.server.enabled:true}") boolean enabled) {
			RedisConnectionFactory given = server.getIfAvailable();
			if (given != null) {
				return new ServerConnections(given, ServerConnections.Source.OWN);
			}
			return enabled ? new ServerConnections(connectionFactory.value(), ServerConnections.Source.COPY)
					: new ServerConnections(connectionFactory.value(), ServerConnections.Source.SHARED);
		}

		@Bean
		RedisBroker asynqBroker(AsynqConnectionFactory connectionFactory, ServerConnections serverConnections,
				@Qualifier("asynqClock") Clock clock, AsynqProperties properties, BrokenTasks counted,
				ObjectProvider<BrokenTaskListener> listeners) {
			return new RedisBroker(connectionFactory.value(), properties.client().checkedCallTimeout(),
					serverConnections, clock, properties.server().leaseDuration(),
					BrokenTaskListeners.of(counted, listeners));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JsonMapper.class)
	@ConditionalOnMissingBean(PayloadConverter.class)
	static class JsonPayloadConfiguration {

		@Bean
		DefaultPayloadConverter asynqPayloadConverter(AsynqProperties properties,
				ObjectProvider<JsonMapper> application, ObjectProvider<AsynqJsonMapperCustomizer> customizers) {
			return new DefaultPayloadConverter(new PayloadMapperFactory(properties.json(), application)
				.create(customizers.orderedStream().toList()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass("tools.jackson.databind.json.JsonMapper")
	@ConditionalOnMissingBean(PayloadConverter.class)
	static class PlainPayloadConfiguration {

		@Bean
		DefaultPayloadConverter asynqPayloadConverter() {
			return new DefaultPayloadConverter();
		}

	}

}
