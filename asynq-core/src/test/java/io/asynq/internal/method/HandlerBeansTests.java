package io.asynq.internal.method;

import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.Task;
import io.asynq.annotation.InvalidTaskHandlerException;
import io.asynq.annotation.TaskHandler;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the kinds of beans that may have {@link TaskHandler} methods.
 */
class HandlerBeansTests {

	private static final AtomicInteger created = new AtomicInteger();

	private static final AtomicInteger intercepted = new AtomicInteger();

	@BeforeEach
	void reset() {
		created.set(0);
		intercepted.set(0);
	}

	@Test
	void createsLazyBeanAtFirstTask() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(LazyBean.class)) {
			assertThat(created).hasValue(0);
			assertThat(HandlerContexts.process(context, Task.of("mail", "hi"))).isEqualTo("hi");
			assertThat(HandlerContexts.process(context, Task.of("mail", "hi"))).isEqualTo("hi");
			assertThat(created).hasValue(1);
		}
	}

	@Test
	void createsPrototypeForEachTask() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(PrototypeBean.class)) {
			HandlerContexts.process(context, Task.of("mail", "hi"));
			HandlerContexts.process(context, Task.of("mail", "hi"));
			assertThat(created).hasValue(2);
		}
	}

	@Test
	void callsScopedBeanThroughProxyAndRegistersItOnce() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Scopes.class, ScopedBean.class)) {
			assertThat(created).hasValue(0);
			assertThat(HandlerContexts.process(context, Task.of("mail", "hi"))).isEqualTo("hi");
			assertThat(created).hasValue(1);
		}
	}

	@Test
	void callsBeanThroughClassProxy() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(ClassProxies.class, LateBeans.class)) {
			assertThat(AopUtils.isCglibProxy(context.getBean("plainMails"))).isTrue();
			assertThat(HandlerContexts.process(context, Task.of("plain", "hi"))).isEqualTo("hi");
			assertThat(intercepted).hasValue(1);
		}
	}

	@Test
	void callsBeanThroughInterfaceProxyWithAnnotationsOfItsClass() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(InterfaceProxies.class,
				LateBeans.class)) {
			assertThat(AopUtils.isJdkDynamicProxy(context.getBean("mails"))).isTrue();
			assertThat(HandlerContexts.process(context, Task.of("mail", "hi"))).isEqualTo("hi");
			assertThat(intercepted).hasValue(1);
		}
	}

	@Test
	void callsLazyBeanThroughLaterInterfaceProxy() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(InterfaceProxies.class,
				LateBeans.class)) {
			assertThat(created).hasValue(1);
			assertThat(HandlerContexts.process(context, Task.of("late", "hi"))).isEqualTo("hi");
			assertThat(intercepted).hasValue(1);
			assertThat(created).hasValue(2);
			assertThat(AopUtils.isJdkDynamicProxy(context.getBean("lateMails"))).isTrue();
		}
	}

	@Test
	void reportsMethodHiddenByProxy() {
		assertThatExceptionOfType(InvalidTaskHandlerException.class)
			.isThrownBy(() -> HandlerContexts.start(InterfaceProxies.class, HiddenBean.class))
			.withMessageContainingAll(Hidden.class.getName() + ".hidden(String)", "interface");
		assertThatExceptionOfType(InvalidTaskHandlerException.class)
			.isThrownBy(() -> HandlerContexts.start(ClassProxies.class, HiddenBean.class))
			.withMessageContainingAll(Hidden.class.getName() + ".secret(String)", "visibility");
	}

	@Test
	void callsPrivateAndStaticMethodsOfPlainBeans() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(PrivateMethods.class)) {
			assertThat(HandlerContexts.process(context, Task.of("private", "hi"))).isEqualTo("hi");
			assertThat(HandlerContexts.process(context, Task.of("static", "hi"))).isEqualTo("hi");
		}
	}

	@Test
	void findsAnnotationOnInterfaceMethod() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Declared.class)) {
			assertThat(HandlerContexts.process(context, Task.of("declared", "hi"))).isEqualTo("hi");
		}
	}

	@Lazy
	static class LazyBean {

		LazyBean() {
			created.incrementAndGet();
		}

		@TaskHandler("mail")
		String handle(String payload) {
			return payload;
		}

	}

	@Scope("prototype")
	static class PrototypeBean extends LazyBean {

	}

	@Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class ScopedBean extends LazyBean {

	}

	static class PlainMails {

		@TaskHandler("plain")
		String handle(String payload) {
			return payload;
		}

	}

	interface Mails {

		String handle(String payload);

	}

	static class DefaultMails implements Mails {

		DefaultMails() {
			created.incrementAndGet();
		}

		@Override
		@TaskHandler("mail")
		public String handle(String payload) {
			return payload;
		}

	}

	static class LateMails implements Mails {

		LateMails() {
			created.incrementAndGet();
		}

		@Override
		@TaskHandler("late")
		public String handle(String payload) {
			return payload;
		}

	}

	static class Hidden implements Mails {

		@Override
		public String handle(String payload) {
			return payload;
		}

		@TaskHandler("hidden")
		public String hidden(String payload) {
			return payload;
		}

		@TaskHandler("secret")
		private String secret(String payload) {
			return payload;
		}

	}

	static class PrivateMethods {

		@TaskHandler("private")
		private String handle(String payload) {
			return payload;
		}

		@TaskHandler("static")
		static String handleStatically(String payload) {
			return payload;
		}

	}

	interface Declaring {

		@TaskHandler("declared")
		String handle(String payload);

	}

	static class Declared implements Declaring {

		@Override
		public String handle(String payload) {
			return payload;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Scopes {

		@Bean
		static CustomScopeConfigurer scopes() {
			CustomScopeConfigurer scopes = new CustomScopeConfigurer();
			scopes.addScope("thread", new SimpleThreadScope());
			return scopes;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LateBeans {

		@Bean
		PlainMails plainMails() {
			return new PlainMails();
		}

		@Bean
		DefaultMails mails() {
			return new DefaultMails();
		}

		@Bean
		@Lazy
		LateMails lateMails() {
			return new LateMails();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HiddenBean {

		@Bean
		Hidden hiddenMails() {
			return new Hidden();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InterfaceProxies {

		@Bean
		static BeanNameAutoProxyCreator proxies() {
			BeanNameAutoProxyCreator proxies = new BeanNameAutoProxyCreator();
			proxies.setBeanNames("mails", "*Mails");
			proxies.setInterceptorNames("counting");
			return proxies;
		}

		@Bean
		static MethodInterceptor counting() {
			return (invocation) -> {
				intercepted.incrementAndGet();
				return invocation.proceed();
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ClassProxies extends InterfaceProxies {

		@Bean
		static BeanNameAutoProxyCreator proxies() {
			BeanNameAutoProxyCreator proxies = InterfaceProxies.proxies();
			proxies.setProxyTargetClass(true);
			return proxies;
		}

	}

}
