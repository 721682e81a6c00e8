package io.asynq.annotation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.Task;
import io.asynq.annotation.AggregatorBeans.Digests;
import io.asynq.annotation.AggregatorBeans.OneBean;
import io.asynq.handler.GroupAggregator;
import io.asynq.handler.GroupAggregators;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactoryBean;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.MapPropertySource;

import static io.asynq.annotation.AggregatorBeans.TWO;
import static io.asynq.annotation.AggregatorBeans.aggregate;
import static io.asynq.annotation.AggregatorBeans.text;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which {@link TaskAggregator} methods and beans are found.
 */
class TaskAggregatorRegistrarTests {

	@Test
	void findsNothingWhereNothingIs() {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start()) {
			assertThat(context.getBean(GroupAggregators.class).isEmpty()).isTrue();
		}
	}

	@Test
	void takesABeanForAllOtherGroups() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Digests.class, OneBean.class)) {
			assertThat(text(aggregate(context, "low", "other", TWO))).isEqualTo("bean");
			assertThat(aggregate(context, "low", "digest:7", TWO).type()).isEqualTo("mail:digest");
		}
	}

	@Test
	void createsNoBeanBeforeItIsNeeded() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(LazyBeans.class)) {
			assertThat(context.getBeanFactory().containsSingleton("lazyBean")).isFalse();
			assertThat(context.getBeanFactory().containsSingleton("lazyMethod")).isFalse();
			assertThat(text(aggregate(context, "q", "other", TWO))).isEqualTo("bean");
			assertThat(aggregate(context, "low", "digest:7", TWO).type()).isEqualTo("mail:digest");
		}
	}

	@Test
	void callsTheBeanThroughItsProxy() throws Exception {
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
		context.register(AsynqConfiguration.class, Placeholders.class);
		try (context) {
			context.refresh();
			assertThat(context.getBean(GroupAggregators.class).find("low", "fallback:SPEL")).isNotNull();
			assertThat(context.getBean(GroupAggregators.class).isAnyFor("high")).isFalse();
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class LazyBeans {

		@Bean
		@Lazy
		GroupAggregator lazyBean() {
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
