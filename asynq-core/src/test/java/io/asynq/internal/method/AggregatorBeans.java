package io.asynq.internal.method;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import io.asynq.Task;
import io.asynq.annotation.TaskAggregator;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.handler.TaskAggregators;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Aggregator beans, and ways to call them.
 */
final class AggregatorBeans {

	static final List<Task> TWO = List.of(Task.of("mail", "{\"to\":\"ada\"}"), Task.of("mail", "{\"to\":\"bob\"}"));

	private AggregatorBeans() {
	}

	static Task aggregate(AnnotationConfigApplicationContext context, String queue, String group, List<Task> tasks)
			throws Exception {
		return Objects.requireNonNull(context.getBean(TaskAggregators.class).find(queue, group), "no aggregator")
			.aggregate(queue, group, tasks);
	}

	static String text(Task task) {
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

	@Configuration(proxyBeanMethods = false)
	static class OneBean {

		@Bean
		TaskAggregatorFunction oneBean() {
			return (queue, group, tasks) -> Task.of("x", "bean");
		}

	}

}
