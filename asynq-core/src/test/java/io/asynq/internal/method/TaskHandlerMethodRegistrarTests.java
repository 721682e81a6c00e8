package io.asynq.internal.method;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import io.asynq.Task;
import io.asynq.annotation.DuplicateTaskHandlerException;
import io.asynq.annotation.HandlerMatching;
import io.asynq.annotation.InvalidTaskHandlerException;
import io.asynq.annotation.TaskHandler;
import io.asynq.annotation.TaskInvocation;
import io.asynq.handler.HandlerLimits;
import io.asynq.handler.HandlerNotFoundException;
import io.asynq.handler.TaskInterceptor;
import io.asynq.handler.TaskMux;
import io.asynq.handler.TypePattern;
import io.asynq.payload.DefaultPayloadConverter;
import kotlin.coroutines.Continuation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.MapPropertySource;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;

/**
 * Tests of the types of {@link TaskHandler} methods, and of mistakes.
 */
class TaskHandlerMethodRegistrarTests {

	@Test
	void registersRepeatedAnnotationsAndSeveralTypes() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Repeated.class)) {
			assertThat(patterns(context)).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
			assertThat(HandlerContexts.process(context, Task.of("c", "x"))).isEqualTo("many");
		}
	}

	@Test
	void typeMatchesExactly() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Matched.class)) {
			assertThat(HandlerContexts.process(context, Task.of("pay", "x"))).isEqualTo("exact");
			assertThatExceptionOfType(HandlerNotFoundException.class)
				.isThrownBy(() -> HandlerContexts.process(context, Task.of("payment:charge", "x")));
		}
	}

	@Test
	void typeEndingInColonOrAsteriskIsPrefix() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Matched.class)) {
			assertThat(HandlerContexts.process(context, Task.of("report:daily", "x"))).isEqualTo("colon");
			assertThat(HandlerContexts.process(context, Task.of("mailbox", "x"))).isEqualTo("asterisk");
			assertThat(HandlerContexts.process(context, Task.of("mail", "x"))).isEqualTo("asterisk");
			assertThat(patterns(context)).containsExactlyInAnyOrder("pay", "report:*", "report:", "mail*", "5*");
		}
	}

	@Test
	void exactTypeMatchesItselfWhateverItsEnd() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Matched.class)) {
			assertThat(HandlerContexts.process(context, Task.of("report:", "x"))).isEqualTo("named");
			assertThat(HandlerContexts.process(context, Task.of("5*", "x"))).isEqualTo("named");
			assertThatExceptionOfType(HandlerNotFoundException.class)
				.isThrownBy(() -> HandlerContexts.process(context, Task.of("5", "x")));
		}
	}

	@Test
	void asteriskMatchesEveryType() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Matched.class, Rest.class)) {
			assertThat(HandlerContexts.process(context, Task.of("anything", "x"))).isEqualTo("rest");
			assertThat(HandlerContexts.process(context, Task.of("pay", "x"))).isEqualTo("exact");
		}
	}

	@Test
	void prefixMatchingTreatsEveryTypeAsPrefix() throws Exception {
		TaskMux mux = new TaskMux();
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("matched", new Matched());
		TaskHandlerMethodRegistrar registrar = new TaskHandlerMethodRegistrar(mux, new DefaultPayloadConverter(),
				Set::of, HandlerMatching.PREFIX, beans);
		registrar.afterSingletonsInstantiated();
		assertThat(mux.processTask(Task.of("payment:charge", "x"), HandlerContexts.CONTEXT)).asString()
			.isEqualTo("exact");
		assertThat(mux.processTask(Task.of("mail*x", "x"), HandlerContexts.CONTEXT)).asString().isEqualTo("asterisk");
		assertThat(mux.processTask(Task.of("report:", "x"), HandlerContexts.CONTEXT)).asString().isEqualTo("named");
		assertThatExceptionOfType(HandlerNotFoundException.class)
			.isThrownBy(() -> mux.processTask(Task.of("mailbox", "x"), HandlerContexts.CONTEXT));
	}

	@Test
	void prefixWrittenInTwoWaysIsDuplicate() {
		assertThatExceptionOfType(DuplicateTaskHandlerException.class)
			.isThrownBy(() -> HandlerContexts.start(Matched.class, ReportsAgain.class))
			.withMessageContainingAll("'report:*'", "Matched.colon()", "ReportsAgain.reports()");
	}

	@Test
	void findsMetaAnnotations() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Meta.class)) {
			assertThat(patterns(context)).containsExactlyInAnyOrder("fixed", "given");
			assertThat(HandlerContexts.process(context, Task.of("given", "x"))).isEqualTo("given");
		}
	}

	@Test
	void resolvesPlaceholdersAndExpressions() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("mail.type", "mail:welcome")));
		context.register(AnnotatedMethodBeans.class, Placeholders.class);
		try (context) {
			context.refresh();
			assertThat(patterns(context)).containsExactlyInAnyOrder("mail:welcome", "fallback", "SPEL");
		}
	}

	@Test
	void findsNoneWithoutHandlers() {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start()) {
			assertThat(context.getBean(TaskMux.class).isEmpty()).isTrue();
		}
	}

	@Test
	void reportsBothMethodsOfDuplicate() {
		assertThatExceptionOfType(DuplicateTaskHandlerException.class)
			.isThrownBy(() -> HandlerContexts.start(First.class, Second.class))
			.withMessageContainingAll("'mail'", First.class.getName() + ".first(String)",
					Second.class.getName() + ".second(Task)");
	}

	@Test
	void reportsBothBeansOfSameClassAsDuplicate() {
		assertThatExceptionOfType(DuplicateTaskHandlerException.class)
			.isThrownBy(() -> HandlerContexts.start(TwoBeans.class))
			.withMessageContainingAll("'mail'", "bean 'one'", "bean 'two'");
	}

	@Test
	void reportsDuplicateOfHandlerRegisteredByHand() {
		TaskMux mux = new TaskMux().handle("mail", (task, context) -> null);
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("first", new First());
		TaskHandlerMethodRegistrar registrar = new TaskHandlerMethodRegistrar(mux, new DefaultPayloadConverter(),
				Set::of, HandlerMatching.EXACT, beans);
		assertThatExceptionOfType(DuplicateTaskHandlerException.class)
			.isThrownBy(registrar::afterSingletonsInstantiated)
			.withMessageContainingAll("'mail'", First.class.getName() + ".first(String)", "TaskMux");
	}

	@Test
	void reportsAllMistakesAtOnce() {
		assertThatExceptionOfType(InvalidTaskHandlerException.class)
			.isThrownBy(() -> HandlerContexts.start(First.class, Second.class, Impossible.class))
			.satisfies((ex) -> assertThat(ex).isExactlyInstanceOf(InvalidTaskHandlerException.class))
			.satisfies((ex) -> assertThat(ex.problems()).satisfiesExactlyInAnyOrder(
					(text) -> assertThat(text).contains("Impossible.twoPayloads(String, Integer)", "2 arguments",
							"allowed are"),
					(text) -> assertThat(text).contains("Impossible.headersAsText(String)", "no Map", "allowed are"),
					(text) -> assertThat(text).contains("Impossible.future()", "CompletableFuture", "allowed are"),
					(text) -> assertThat(text).contains("Impossible.plainFuture()", Future.class.getName()),
					(text) -> assertThat(text).contains("Impossible.suspending(String, Continuation)",
							"Kotlin suspend function"),
					(text) -> assertThat(text).contains("Impossible.blank()", "blank"),
					(text) -> assertThat(text).contains("Impossible.unnamed()", "no task type"),
					(text) -> assertThat(text).contains("Impossible.unresolved()", "${not.there}"),
					(text) -> assertThat(text).contains("Task type 'mail' has two handlers")))
			.withMessageContainingAll("twoPayloads", "headersAsText", "future", "blank", "unresolved", "'mail'");
	}

	@Test
	void argumentResolverBeansAreUsed() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Resolved.class, TenantResolver.class)) {
			Task task = Task.of("tenant", "hi").withHeaders(Map.of("tenant", "acme"));
			assertThat(HandlerContexts.process(context, task)).isEqualTo("acme hi");
		}
	}

	@Test
	void limitsAndMaxConcurrentApplyToAllTypesOfAnAnnotation() {
		TaskMux mux = new TaskMux();
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("bounded", new Bounded());
		new TaskHandlerMethodRegistrar(mux, new DefaultPayloadConverter(), () -> Set.of("pdf", "bank"),
				HandlerMatching.EXACT, beans)
			.afterSingletonsInstantiated();
		assertThat(mux.limits("a")).isEqualTo(mux.limits("b"))
			.isEqualTo(new HandlerLimits(List.of(), new HandlerLimits.Own("handler:a,b", 3)));
		assertThat(mux.limits("c")).isEqualTo(HandlerLimits.of("pdf", "bank"));
		assertThat(mux.limits("d").isEmpty()).isTrue();
	}

	@Test
	void reportsInvalidLimits() {
		assertThatExceptionOfType(InvalidTaskHandlerException.class)
			.isThrownBy(() -> HandlerContexts.start(NegativeBound.class, UnknownLimit.class))
			.satisfies((ex) -> assertThat(ex.problems()).satisfiesExactlyInAnyOrder(
					(text) -> assertThat(text).contains("NegativeBound.negative()", "must not be negative, but is -1"),
					(text) -> assertThat(text).contains("UnknownLimit.unknown()", "limit 'fax' is not configured",
							"asynq.limits.fax.concurrent")));
	}

	@Test
	void registersNothingAfterMistake() {
		TaskMux mux = new TaskMux();
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("first", new First());
		beans.registerSingleton("second", new Second());
		TaskHandlerMethodRegistrar registrar = new TaskHandlerMethodRegistrar(mux, new DefaultPayloadConverter(),
				Set::of, HandlerMatching.EXACT, beans);
		assertThatExceptionOfType(DuplicateTaskHandlerException.class)
			.isThrownBy(registrar::afterSingletonsInstantiated);
		assertThat(mux.isEmpty()).isTrue();
	}

	@Test
	void callsInterceptorBeansInOrder() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Intercepted.class)) {
			assertThat(HandlerContexts.process(context, Task.of("mail", "x"))).isEqualTo("outer(inner(x))");
		}
	}

	private static List<String> patterns(AnnotationConfigApplicationContext context) {
		return context.getBean(TaskMux.class).patterns().stream().map(TypePattern::toString).toList();
	}

	record Tenant(@Nullable String name) {
	}

	static class TenantResolver implements HandlerMethodArgumentResolver {

		@Override
		public boolean supportsParameter(MethodParameter parameter) {
			return parameter.getParameterType() == Tenant.class;
		}

		@Override
		public Object resolveArgument(MethodParameter parameter, Message<?> message) {
			return new Tenant(TaskInvocation.of(message).task().headers().get("tenant"));
		}

	}

	static class Resolved {

		@TaskHandler("tenant")
		String handle(Tenant tenant, String payload) {
			return tenant.name() + " " + payload;
		}

	}

	static class Bounded {

		@TaskHandler(type = { "b", "a" }, maxConcurrent = 3)
		@TaskHandler(type = "c", limit = { "pdf", "bank" })
		@TaskHandler(type = "d")
		String bounded() {
			return "bounded";
		}

	}

	static class UnknownLimit {

		@TaskHandler(type = "n", limit = "fax")
		void unknown() {
		}

	}

	static class NegativeBound {

		@TaskHandler(type = "n", maxConcurrent = -1)
		void negative() {
		}

	}

	static class Matched {

		@TaskHandler("pay")
		String exact() {
			return "exact";
		}

		@TaskHandler("report:")
		String colon() {
			return "colon";
		}

		@TaskHandler("mail*")
		String asterisk() {
			return "asterisk";
		}

		@TaskHandler(exact = { "report:", "5*" })
		String named() {
			return "named";
		}

	}

	static class Rest {

		@TaskHandler("*")
		String rest() {
			return "rest";
		}

	}

	static class ReportsAgain {

		@TaskHandler("report:*")
		void reports() {
		}

	}

	static class Repeated {

		@TaskHandler({ "a", "b" })
		@TaskHandler("c")
		@TaskHandler(type = "d")
		String many() {
			return "many";
		}

		@TaskHandler({ "e", "e" })
		void twice() {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@TaskHandler("fixed")
	@interface Fixed {

	}

	@Retention(RetentionPolicy.RUNTIME)
	@TaskHandler
	@interface Given {

		@AliasFor(annotation = TaskHandler.class, attribute = "type")
		String[] name();

	}

	static class Meta {

		@Fixed
		void fixed() {
		}

		@Given(name = "given")
		String given() {
			return "given";
		}

	}

	static class Placeholders {

		@TaskHandler({ "${mail.type}", "${none:fallback}", "#{'spel'.toUpperCase()}" })
		void resolved() {
		}

	}

	static class First {

		@TaskHandler("mail")
		String first(String payload) {
			return payload;
		}

	}

	static class Second {

		@TaskHandler("mail")
		void second(Task task) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoBeans {

		@Bean
		First one() {
			return new First();
		}

		@Bean
		First two() {
			return new First();
		}

	}

	static class Impossible {

		@TaskHandler("a")
		void twoPayloads(String one, Integer two) {
		}

		@TaskHandler("b")
		void headersAsText(@Headers String headers) {
		}

		@TaskHandler("c")
		CompletableFuture<String> future() {
			return CompletableFuture.completedFuture("x");
		}

		@TaskHandler("d")
		Future<String> plainFuture() {
			return CompletableFuture.completedFuture("x");
		}

		@TaskHandler("e")
		Object suspending(String payload, Continuation<? super String> continuation) {
			return payload;
		}

		@TaskHandler(" ")
		void blank() {
		}

		@TaskHandler
		void unnamed() {
		}

		@TaskHandler("${not.there}")
		void unresolved() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Intercepted {

		@Bean
		First first() {
			return new First();
		}

		@Bean
		@Order(2)
		TaskInterceptor inner() {
			return wrapping("inner");
		}

		@Bean
		@Order(1)
		TaskInterceptor outer() {
			return wrapping("outer");
		}

		private static TaskInterceptor wrapping(String name) {
			return (task, context, next) -> (name + "(" + new String(next.processTask(task, context)) + ")").getBytes();
		}

	}

}
