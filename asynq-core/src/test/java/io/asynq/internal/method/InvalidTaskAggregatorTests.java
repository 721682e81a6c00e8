package io.asynq.internal.method;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.asynq.Task;
import io.asynq.annotation.InvalidTaskAggregatorException;
import io.asynq.annotation.TaskAggregator;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.handler.TaskAggregators;
import io.asynq.internal.method.AggregatorBeans.Digests;
import io.asynq.internal.method.AggregatorBeans.OneBean;
import io.asynq.server.ServerOptions;
import kotlin.coroutines.Continuation;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of mistakes in {@link TaskAggregator} methods and aggregator beans.
 */
class InvalidTaskAggregatorTests {

	@Test
	void reportsAllMistakesAtOnce() {
		assertThatExceptionOfType(InvalidTaskAggregatorException.class)
			.isThrownBy(() -> HandlerContexts.start(Digests.class, Impossible.class, OneBean.class, All.class))
			.satisfies((ex) -> assertThat(ex.problems()).satisfiesExactlyInAnyOrder(
					(text) -> assertThat(text).contains("Impossible.noList(String)", "allowed are"),
					(text) -> assertThat(text).contains("Impossible.twoLists(List, List)", "allowed are"),
					(text) -> assertThat(text).contains("Impossible.twoGroups(List, String, String)", "allowed are"),
					(text) -> assertThat(text).contains("Impossible.strange(List, Integer)", "allowed are"),
					(text) -> assertThat(text).contains("Impossible.collection(Collection)", "allowed are"),
					(text) -> assertThat(text).contains("Impossible.raw(List)", "no concrete element type"),
					(text) -> assertThat(text).contains("Impossible.nothing(List)", "returns nothing"),
					(text) -> assertThat(text).contains("Impossible.future(List)", "CompletableFuture"),
					(text) -> assertThat(text).contains("Impossible.suspending(List, Continuation)",
							"Kotlin suspend function"),
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
	void secondAggregatorBeanIsRejected() {
		assertThatExceptionOfType(InvalidTaskAggregatorException.class)
			.isThrownBy(() -> HandlerContexts.start(OneBean.class, SecondBean.class))
			.withMessageContainingAll("all groups of all queues", "bean 'oneBean'", "bean 'secondBean'", "keep one");
	}

	@Test
	void methodForUnservedQueueIsRejected() {
		assertThatExceptionOfType(InvalidTaskAggregatorException.class)
			.isThrownBy(() -> HandlerContexts.start(Digests.class, Impossible.class, ServingOthers.class))
			.satisfies((ex) -> assertThat(ex.problems()).filteredOn((text) -> text.contains("does not serve"))
				.hasSize(3)
				.first()
				.asString()
				.contains("Digests.", " of bean 'aggregatorBeans.Digests'", "queue 'low'", "only [high, mail]",
						"'asynq.server.queues'", "profile", "leave the queue out", "placeholder"));
	}

	@Test
	void queueServedByAnyServerOfTheApplicationIsServed() {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Digests.class, ServingOthers.class,
				ServingLow.class)) {
			assertThat(context.getBean(TaskAggregators.class).isAnyFor("low")).isTrue();
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class ServingOthers {

		@Bean
		ServerOptions others() {
			return ServerOptions.builder().queue("mail", 1).queue("high", 2).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ServingLow {

		@Bean
		ServerOptions low() {
			return ServerOptions.builder().queue("low", 1).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SecondBean {

		@Bean
		TaskAggregatorFunction secondBean() {
			return (queue, group, tasks) -> Task.of("x", "bean");
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

		@TaskAggregator(group = "14", type = "x")
		Object suspending(List<String> payloads, Continuation<? super String> continuation) {
			return "";
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
