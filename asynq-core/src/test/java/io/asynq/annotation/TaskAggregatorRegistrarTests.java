package io.asynq.annotation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.asynq.Task;
import io.asynq.handler.GroupAggregator;
import io.asynq.handler.GroupAggregators;
import io.asynq.handler.RejectedTasksException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactoryBean;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of {@link TaskAggregator} methods and of the mistakes one can make.
 */
class TaskAggregatorRegistrarTests {

	private static final List<Task> TWO = List.of(Task.of("mail", "{\"to\":\"ada\"}"),
			Task.of("mail", "{\"to\":\"bob\"}"));

	@Test
	void findsNothingWhereNothingIs() {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start()) {
			assertThat(context.getBean(GroupAggregators.class).isEmpty()).isTrue();
		}
	}

	@Test
	void turnsPayloadsIntoAPayload() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Digests.class)) {
			Task task = aggregate(context, "low", "digest:7", TWO);
			assertThat(task.type()).isEqualTo("mail:digest");
			assertThat(text(task)).isEqualTo("{\"group\":\"digest:7\",\"to\":[\"ada\",\"bob\"]}");
		}
	}

	@Test
	void turnsTasksIntoATask() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Digests.class)) {
			assertThat(aggregate(context, "low", "task:1", TWO)).isSameAs(TWO.get(1));
			assertThat(context.getBean(GroupAggregators.class).find("high", "task:1")).isNull();
		}
	}

	@Test
	void takesSubtypesAndWildcardsOfPayloads() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Wildcard.class, OfMails.class)) {
			assertThat(text(aggregate(context, "q", "wild", TWO))).isEqualTo("adabob");
			assertThat(text(aggregate(context, "q", "generic", TWO))).isEqualTo("bob");
		}
	}

	@Test
	void nullOfAMethodIsNoTask() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Nulls.class)) {
			assertThat(aggregate(context, "q", "payload", TWO)).isNull();
			assertThat(aggregate(context, "q", "task", TWO)).isNull();
		}
	}

	@Test
	void throwsWhatAMethodThrows() {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Throwing.class)) {
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> aggregate(context, "q", "g", TWO));
		}
	}

	@Test
	void rejectsTasksWhosePayloadDoesNotFit() {
		Task bad = Task.of("mail", "[1]");
		Task none = Task.of("mail", (byte[]) null);
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Digests.class)) {
			assertThatExceptionOfType(RejectedTasksException.class)
				.isThrownBy(() -> aggregate(context, "low", "digest:7", List.of(TWO.get(0), bad, none)))
				.withMessageContainingAll("'mail'", Mail.class.getName(), "Digests.digest(String, List)")
				.satisfies((ex) -> assertThat(ex.tasks()).containsExactly(bad, none));
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

	@Test
	void tellsAllMistakesAtOnce() {
		assertThatExceptionOfType(InvalidTaskAggregatorException.class)
			.isThrownBy(() -> HandlerContexts.start(Digests.class, Impossible.class, OneBean.class, All.class))
			.satisfies((ex) -> assertThat(ex.problems()).satisfiesExactlyInAnyOrder(
					(text) -> assertThat(text).contains("Impossible.noList(String)", "allowed are"),
					(text) -> assertThat(text).contains("Impossible.twoLists(List, List)", "allowed are"),
					(text) -> assertThat(text).contains("Impossible.twoGroups(List, String, String)", "allowed are"),
					(text) -> assertThat(text).contains("Impossible.strange(List, Integer)", "allowed are"),
					(text) -> assertThat(text).contains("Impossible.collection(Collection)", "allowed are"),
					(text) -> assertThat(text).contains("Impossible.raw(List)", "does not say of what"),
					(text) -> assertThat(text).contains("Impossible.nothing(List)", "returns nothing"),
					(text) -> assertThat(text).contains("Impossible.future(List)", "CompletableFuture"),
					(text) -> assertThat(text).contains("Impossible.untyped(List)", "must name the 'type'"),
					(text) -> assertThat(text).contains("Impossible.typed(List)", "remove 'type'"),
					(text) -> assertThat(text).contains("Impossible.unresolved(List)", "${not.there}", "queue"),
					(text) -> assertThat(text).contains("Impossible.blank(List)", "group", "is blank"),
					(text) -> assertThat(text).contains("groups beginning with 'digest:' of queue 'low'",
							"Digests.digest(String, List)", "Impossible.twice(List)"),
					(text) -> assertThat(text).contains("all groups of all queues", "All.all(List)", "bean '",
							"oneBean'")));
	}

	@Test
	void twoBeansAreOneTooMany() {
		assertThatExceptionOfType(InvalidTaskAggregatorException.class)
			.isThrownBy(() -> HandlerContexts.start(OneBean.class, LazyBeans.class))
			.withMessageContainingAll("all groups of all queues", "bean 'oneBean'", "bean 'lazyBean'", "keep one");
	}

	private static Task aggregate(AnnotationConfigApplicationContext context, String queue, String group,
			List<Task> tasks) throws Exception {
		return Objects.requireNonNull(context.getBean(GroupAggregators.class).find(queue, group), "no aggregator")
			.aggregate(queue, group, tasks);
	}

	private static String text(Task task) {
		return new String(Objects.requireNonNull(task.payload()), StandardCharsets.UTF_8);
	}

	record Mail(String to) {
	}

	record Digest(String group, List<String> to) {
	}

	static class Digests {

		@TaskAggregator(queue = "low", group = "digest:", type = "mail:digest")
		Digest digest(String group, List<Mail> mails) {
			return new Digest(group, mails.stream().map(Mail::to).toList());
		}

		@TaskAggregator(queue = "low", group = "task:")
		Task last(List<Task> tasks) {
			return tasks.get(tasks.size() - 1);
		}

	}

	static class Wildcard {

		@TaskAggregator(group = "wild", type = "x")
		String wild(List<? extends Mail> mails) {
			return String.join("", mails.stream().map(Mail::to).toList());
		}

	}

	abstract static class OfSome<T> {

		@TaskAggregator(group = "generic", type = "x")
		String join(List<T> payloads) {
			return describe(payloads.get(payloads.size() - 1));
		}

		abstract String describe(T payload);

	}

	static class OfMails extends OfSome<Mail> {

		@Override
		String describe(Mail payload) {
			return payload.to();
		}

	}

	static class Nulls {

		@TaskAggregator(group = "payload", type = "x")
		@Nullable String payload(List<String> payloads) {
			return null;
		}

		@TaskAggregator(group = "task")
		@Nullable Task task(List<Task> tasks) {
			return null;
		}

	}

	static class Throwing {

		@TaskAggregator(type = "x")
		String all(List<String> payloads) {
			throw new UnsupportedOperationException();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneBean {

		@Bean
		GroupAggregator oneBean() {
			return (queue, group, tasks) -> Task.of("x", "bean");
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

	static class All {

		@TaskAggregator(type = "x")
		String all(List<String> payloads) {
			return "";
		}

	}

	@SuppressWarnings("rawtypes")
	static class Impossible {

		@TaskAggregator(group = "1", type = "x")
		String noList(String group) {
			return "";
		}

		@TaskAggregator(group = "2", type = "x")
		String twoLists(List<String> one, List<Task> two) {
			return "";
		}

		@TaskAggregator(group = "3", type = "x")
		String twoGroups(List<String> payloads, String one, String two) {
			return "";
		}

		@TaskAggregator(group = "4", type = "x")
		String strange(List<String> payloads, Integer number) {
			return "";
		}

		@TaskAggregator(group = "5", type = "x")
		String collection(Collection<String> payloads) {
			return "";
		}

		@TaskAggregator(group = "6", type = "x")
		String raw(List payloads) {
			return "";
		}

		@TaskAggregator(group = "7", type = "x")
		void nothing(List<String> payloads) {
		}

		@TaskAggregator(group = "8", type = "x")
		CompletableFuture<String> future(List<String> payloads) {
			return CompletableFuture.completedFuture("");
		}

		@TaskAggregator(group = "9")
		String untyped(List<String> payloads) {
			return "";
		}

		@TaskAggregator(group = "10", type = "x")
		Task typed(List<Task> tasks) {
			return tasks.get(0);
		}

		@TaskAggregator(queue = "${not.there}", type = "x")
		String unresolved(List<String> payloads) {
			return "";
		}

		@TaskAggregator(group = " ", type = "x")
		String blank(List<String> payloads) {
			return "";
		}

		@TaskAggregator(queue = "low", group = "digest:", type = "x")
		String twice(List<String> payloads) {
			return "";
		}

	}

}
