package io.asynq.internal.method;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Clock;
import java.util.List;

import io.asynq.AsynqException;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.TaskAggregator;
import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.SchedulerOptions;
import io.asynq.test.FakeBroker;
import io.asynq.test.HandlerOfAnotherPackage;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Methods that would not run as their authors expect are refused at startup, whether they
 * handle tasks, aggregate them or make periodic ones.
 */
class RefusedMethodsTests {

	@ParameterizedTest
	@ValueSource(classes = { AsyncHandler.class, AsyncHandlers.class, InheritedAsync.class, DeclaredAsync.class,
			MetaAsync.class, AsyncAggregator.class, AsyncPeriodic.class, AsyncPeriodicHandler.class })
	void methodThatRunsInAnotherThreadIsRefused(Class<?> bean) {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> start(bean))
			.withMessageContainingAll(".work(", " of bean '", "runs asynchronously", "remove @Async");
	}

	@Test
	void aggregatorBeansAreCheckedAsMethodsAre() {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> start(AsyncFunction.class))
			.withMessageContainingAll("AsyncFunction.aggregate(String, String, List) of bean", "remove @Async");
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> start(FinalFunction.class, ClassProxies.class))
			.withMessageContainingAll("FinalFunction.aggregate(String, String, List) of bean", "is final");
	}

	@Test
	void asyncAnnotationOfTheApplicationIsRecognised() {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> start(OwnAsync.class, OwnAsyncEnabled.class))
			.withMessageContainingAll("OwnAsync.work(String)", "runs asynchronously");
		start(OwnAsync.class).close();
	}

	@ParameterizedTest
	@ValueSource(classes = { FinalHandler.class, FinalAggregator.class, FinalPeriodic.class, LazyFinalHandler.class,
			PrototypeFinalHandler.class, ScopedFinalHandler.class })
	void finalMethodOfProxiedClassIsRefused(Class<?> bean) {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> start(bean, ClassProxies.class))
			.withMessageContainingAll(".work(", " of bean '", "is final", "fields are null",
					"make the method overridable");
	}

	@Test
	void methodThatProxyDoesNotSeeIsRefused() {
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> start(SubclassInAnotherPackage.class, ClassProxies.class))
			.withMessageContainingAll("HandlerOfAnotherPackage.work(String)", "package-private", "fields are null");
		start(SubclassInAnotherPackage.class).close();
	}

	@ParameterizedTest
	@ValueSource(classes = { FinalHandler.class, LazyFinalHandler.class, FinalAggregator.class, FinalPeriodic.class })
	void finalMethodOfPlainBeanIsCalled(Class<?> bean) throws Exception {
		try (AnnotationConfigApplicationContext context = start(bean)) {
			if (bean == FinalHandler.class) {
				assertThat(HandlerContexts.process(context, Task.of("x", "hi"))).isEqualTo("field hi");
			}
		}
	}

	@Test
	void finalMethodBehindInterfaceProxyIsCalled() throws Exception {
		try (AnnotationConfigApplicationContext context = start(FinalBehindInterface.class, InterfaceProxies.class)) {
			assertThat(HandlerContexts.process(context, Task.of("x", "hi"))).isEqualTo("field hi");
		}
	}

	private static AnnotationConfigApplicationContext start(Class<?>... beans) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(AnnotatedMethodBeans.class);
		context.registerBean("scheduler", AsynqScheduler.class,
				() -> AsynqScheduler.create(new FakeBroker(), ClientOptions.builder().clock(Clock.systemUTC()).build(),
						SchedulerOptions.builder().clock(Clock.systemUTC()).build(), List.of()));
		context.register(beans);
		try {
			context.refresh();
			context.getBean(AsynqScheduler.class).stop();
			return context;
		}
		catch (RuntimeException ex) {
			context.close();
			throw ex;
		}
	}

	static class AsyncHandler {

		@Async
		@TaskHandler("x")
		void work(String payload) {
		}

	}

	@Async
	static class AsyncHandlers {

		@TaskHandler("x")
		void work(String payload) {
		}

	}

	static class InheritedAsync extends AsyncHandlers {

	}

	interface Work {

		@Async
		@TaskHandler("x")
		void work(String payload);

	}

	static class DeclaredAsync implements Work {

		@Override
		public void work(String payload) {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@Async("executor")
	@interface InBackground {

	}

	static class MetaAsync {

		@InBackground
		@TaskHandler("x")
		void work(String payload) {
		}

	}

	static class AsyncAggregator {

		@Async
		@TaskAggregator(type = "x")
		String work(List<String> payloads) {
			return "";
		}

	}

	@Async
	static class AsyncFunction implements TaskAggregatorFunction {

		@Override
		public Task aggregate(String queue, String group, List<Task> tasks) {
			return tasks.get(0);
		}

	}

	static class FinalFunction implements TaskAggregatorFunction {

		@Override
		public final Task aggregate(String queue, String group, List<Task> tasks) {
			return tasks.get(0);
		}

	}

	static class AsyncPeriodic {

		@Async
		@PeriodicTask(cron = "@daily", type = "x")
		String work() {
			return "";
		}

	}

	static class AsyncPeriodicHandler {

		@Async
		@TaskHandler("x")
		@PeriodicTask("@daily")
		void work() {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface Elsewhere {

	}

	static class OwnAsync {

		@Elsewhere
		@TaskHandler("x")
		void work(String payload) {
		}

	}

	@EnableAsync(annotation = Elsewhere.class)
	@Configuration(proxyBeanMethods = false)
	static class OwnAsyncEnabled {

	}

	static class FinalHandler {

		private final String field = "field ";

		@TaskHandler("x")
		final String work(String payload) {
			return this.field + payload;
		}

	}

	@Lazy
	static class LazyFinalHandler extends FinalHandler {

	}

	@Scope("prototype")
	static class PrototypeFinalHandler extends FinalHandler {

	}

	@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class ScopedFinalHandler extends FinalHandler {

	}

	static class FinalAggregator {

		@TaskAggregator(type = "x")
		final String work(List<String> payloads) {
			return "";
		}

	}

	static class FinalPeriodic {

		@PeriodicTask(cron = "@daily", type = "x")
		protected final String work() {
			return "";
		}

	}

	interface Handling {

		String work(String payload);

	}

	static class FinalBehindInterface implements Handling {

		private final String field = "field ";

		@Override
		@TaskHandler("x")
		public final String work(String payload) {
			return this.field + payload;
		}

	}

	static class SubclassInAnotherPackage extends HandlerOfAnotherPackage {

	}

	@Configuration(proxyBeanMethods = false)
	static class ClassProxies {

		@Bean
		static BeanNameAutoProxyCreator proxies() {
			BeanNameAutoProxyCreator proxies = new BeanNameAutoProxyCreator();
			proxies.setBeanNames("refusedMethodsTests.*Final*", "refusedMethodsTests.Subclass*");
			proxies.setInterceptorNames("proceeding");
			proxies.setProxyTargetClass(true);
			return proxies;
		}

		@Bean
		static MethodInterceptor proceeding() {
			return (invocation) -> invocation.proceed();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InterfaceProxies extends ClassProxies {

		@Bean
		static BeanNameAutoProxyCreator proxies() {
			BeanNameAutoProxyCreator proxies = ClassProxies.proxies();
			proxies.setProxyTargetClass(false);
			return proxies;
		}

	}

}
