package io.asynq.spring.boot.autoconfigure;

import java.util.List;
import java.util.Set;

import io.asynq.handler.TaskMux;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.PropertySource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Warns of a server that is probably not meant to run where it does.
 */
final class StartAdvice implements Runnable {

	private static final Logger logger = OneLineLogger.of(StartAdvice.class);

	/**
	 * What Spring's test framework calls them, which is in the class path of tests only.
	 */
	private static final String INLINED = "Inlined Test Properties";

	private static final Set<String> OF_TESTS = Set.of(INLINED, "Dynamic Test Properties");

	/** Each wins over those after it. */
	private static final List<List<String>> ADDRESSES = List.of(List.of("spring.data.redis.sentinel.nodes"),
			List.of("spring.data.redis.cluster.nodes"), List.of("spring.data.redis.masterreplica.nodes"),
			List.of("spring.data.redis.url"), List.of("spring.data.redis.port", "spring.data.redis.host"));

	private final ConfigurableApplicationContext context;

	StartAdvice(ConfigurableApplicationContext context) {
		this.context = context;
	}

	@Override
	public void run() {
		adviseOnParent();
		if (this.context.getEnvironment().getPropertySources().contains(INLINED)) {
			adviseOnTest();
		}
	}

	private void adviseOnParent() {
		if (this.context.getParent() != null && OnHandlersHere.isBelowServer(this.context.getBeanFactory())
				&& this.context.getParent().getBeanProvider(TaskMux.class).stream().anyMatch((mux) -> !mux.isEmpty())) {
			logger
				.warn("This application has two asynq servers, because there are task handlers in the context {} and in"
						+ " its parent: they take each other's tasks and put them back, and together run twice as many at a"
						+ " time. Declare all handlers in one context", this.context.getDisplayName());
		}
	}

	private void adviseOnTest() {
		DataRedisConnectionDetails details = this.context.getBeanProvider(DataRedisConnectionDetails.class)
			.getIfUnique();
		if (details == null || !isOfBoot(details.getClass().getName()) || !isConnectedByBoot()) {
			return;
		}
		String property = null;
		for (List<String> address : ADDRESSES) {
			for (String name : address) {
				PropertySource<?> source = source(name);
				if (source != null && OF_TESTS.contains(source.getName())) {
					return;
				}
				property = (source != null && property == null) ? name : property;
			}
			if (property != null) {
				break;
			}
		}
		logger.warn(
				"The asynq server of this test works on a Redis that the test has not started ({}), and takes the"
						+ " tasks of whoever else uses it. Start a Redis for the test, use @AutoConfigureAsynq, or set"
						+ " asynq.server.enabled=false (docs/testing.md)",
				(property != null) ? "'" + property + "'" : "localhost:6379, the default");
	}

	private boolean isConnectedByBoot() {
		AsynqConnectionFactory used = this.context.getBeanProvider(AsynqConnectionFactory.class).getIfAvailable();
		ConfigurableListableBeanFactory beans = this.context.getBeanFactory();
		return used != null && beans.getBeansOfType(RedisConnectionFactory.class)
			.entrySet()
			.stream()
			.filter((bean) -> bean.getValue() == used.value() && beans.containsBeanDefinition(bean.getKey()))
			.anyMatch((bean) -> isOfBoot(String.valueOf(beans.getBeanDefinition(bean.getKey()).getFactoryBeanName())));
	}

	private static boolean isOfBoot(String name) {
		String settings = DataRedisAutoConfiguration.class.getPackageName() + ".";
		return name.startsWith(settings) && name.indexOf('.', settings.length()) < 0;
	}

	private @Nullable PropertySource<?> source(String property) {
		ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.context.getEnvironment())) {
			if ((source.getConfigurationProperty(name) != null
					|| source.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT)
					&& source.getUnderlyingSource() instanceof PropertySource<?> found) {
				return found;
			}
		}
		return null;
	}

}
