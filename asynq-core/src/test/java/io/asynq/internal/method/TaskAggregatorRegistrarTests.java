package io.asynq.internal.method;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.Task;
import io.asynq.annotation.TaskAggregator;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.handler.TaskAggregators;
import io.asynq.internal.method.AggregatorBeans.Digests;
import io.asynq.internal.method.AggregatorBeans.OneBean;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactoryBean;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.MapPropertySource;

import static io.asynq.internal.method.AggregatorBeans.TWO;
import static io.asynq.internal.method.AggregatorBeans.aggregate;
import static io.asynq.internal.method.AggregatorBeans.text;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of which {@link TaskAggregator} methods and beans are found.
 */
class TaskAggregatorRegistrarTests {

	@Test
	void findsNoneWithoutAggregators() {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start()) {
			assertThat(context.getBean(TaskAggregators.class).isEmpty()).isTrue();
		}
	}

	@Test
	void beanAggregatesAllOtherGroups() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Digests.class, OneBean.class)) {
			assertThat(text(aggregate(context, "low", "other", TWO))).isEqualTo("bean");
			assertThat(aggregate(context, "low", "digest:7", TWO).type()).isEqualTo("mail:digest");
		}
	}

	@Test
	void createsBeanWhenFirstNeeded() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(LazyBeans.class)) {
			assertThat(context.getBeanFactory().containsSingleton("lazyBean")).isFalse();
			assertThat(context.getBeanFactory().containsSingleton("lazyMethod")).isFalse();
			assertThat(text(aggregate(context, "q", "other", TWO))).isEqualTo("bean");
			assertThat(aggregate(context, "low", "digest:7", TWO).type()).isEqualTo("mail:digest");
		}
	}

	@Test
	void callsBeanThroughProxy() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Proxied.class)) {
			assertThat(text(aggregate(context, "low", "digest:7", TWO))).contains("ada");
			assertThat(context.getBean(Proxied.class).calls).containsExactly("digest");
		}
	}

	@Test
	void resolvesPlaceholdersAndExpressions() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("digest.queue", "low")));
		context.register(AnnotatedMethodBeans.class, Placeholders.class);
		try (context) {
			context.refresh();
			assertThat(context.getBean(TaskAggregators.class).find("low", "fallback:SPEL")).isNotNull();
			assertThat(context.getBean(TaskAggregators.class).isAnyFor("high")).isFalse();
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class LazyBeans {

		@Bean
		@Lazy
		TaskAggregatorFunction lazyBean() {
			return (queue, group, tasks) -> Task.of("x", "bean");
		}

		@Bean
		@Lazy
		Digests lazyMethod() {
			return new Digests();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Proxied {

		final List<String> calls = new ArrayList<>();

		@Bean
		ProxyFactoryBean digests() {
			ProxyFactoryBean proxy = new ProxyFactoryBean();
			proxy.setTarget(new Digests());
			proxy.setProxyTargetClass(true);
			proxy.addAdvice((org.aopalliance.intercept.MethodInterceptor) (invocation) -> {
				this.calls.add(invocation.getMethod().getName());
				return invocation.proceed();
			});
			return proxy;
		}

	}

	static class Placeholders {

		@TaskAggregator(queue = "${digest.queue}", group = "${none:fallback}:#{'spel'.toUpperCase()}", type = "x")
		String digest(List<String> payloads) {
			return "";
		}

	}

}
