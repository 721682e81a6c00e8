package io.asynq.reliability.worker;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.asynq.handler.TaskAggregators;
import io.asynq.handler.TaskMux;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.event.Observers;
import io.asynq.internal.server.ServerComponents;
import io.asynq.schedule.SchedulerOptions;
import io.asynq.server.BrokenTaskListener;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerPolicies;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** As on a machine whose clock is wrong, or is stepped while it runs. */
final class SkewedClock implements BeanFactoryPostProcessor, EnvironmentAware {

	private Environment environment = new StandardEnvironment();

	@Override
	public void setEnvironment(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		Clock clock = clock();
		if (clock == null) {
			return;
		}
		Duration lease = duration("asynq.server.lease-duration", "30s");
		BeanDefinitionRegistry registry = (BeanDefinitionRegistry) beans;
		replace(registry, "asynqBroker", RedisBroker.class,
				() -> new RedisBroker(beans.getBean(RedisConnectionFactory.class), clock, lease,
						beans.getBean(BrokenTaskListener.class)));
		replace(registry, "asynqSchedulerOptions", SchedulerOptions.class,
				() -> SchedulerOptions.builder()
					.clock(clock)
					.heartbeatInterval(duration("asynq.scheduler.heartbeat-interval", "10s"))
					.build());
		if (!registry.containsBeanDefinition("asynqServerComponents")) {
			return;
		}
		replace(registry, "asynqServerComponents", ServerComponents.class,
				() -> new ServerComponents(beans.getBean(RedisBroker.class), beans.getBean(TaskMux.class),
						beans.getBean(TaskAggregators.class), beans.getBean(ServerOptions.class),
						beans.getBean(ServerPolicies.class), beans.getBean(Observers.class), clock,
						beans.getBean("asynqServerAutoStartup", BooleanSupplier.class)));
	}

	private @Nullable Clock clock() {
		String file = this.environment.getProperty("reliability.clock-step-file");
		if (file != null) {
			return new SteppedClock(Path.of(file));
		}
		String offset = this.environment.getProperty("reliability.clock-offset");
		return (offset != null) ? Clock.offset(Clock.systemUTC(), DurationStyle.detectAndParse(offset)) : null;
	}

	private Duration duration(String property, String otherwise) {
		return DurationStyle.detectAndParse(this.environment.getProperty(property, otherwise));
	}

	private static <T> void replace(BeanDefinitionRegistry registry, String name, Class<T> type, Supplier<T> supplier) {
		registry.removeBeanDefinition(name);
		registry.registerBeanDefinition(name, new RootBeanDefinition(type, supplier));
	}

}
