package io.asynq.spring.boot.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.Names;
import io.asynq.TaskOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;

/**
 * Reads {@code asynq.server.queues}: a map of weights by name, or a list of names and
 * weights, which takes names that would need brackets as keys of a map. A type with both
 * forms is beyond what {@code @ConfigurationProperties} can bind.
 */
final class ServerQueues {

	static final String PROPERTY = "asynq.server.queues";

	private ServerQueues() {
	}

	/**
	 * Reads the queues.
	 * @param environment where from
	 * @return weights by name in their order, the default queue alone if none are set
	 */
	static Map<String, Integer> from(Environment environment) {
		Binder binder = Binder.get(environment);
		Map<String, Object> entries = binder.bind(PROPERTY, Bindable.mapOf(String.class, Object.class))
			.orElse(Map.of());
		boolean list = entries.values().stream().anyMatch(Map.class::isInstance);
		Map<String, Integer> queues = list ? list(binder, entries) : map(binder);
		return queues.isEmpty() ? Map.of(TaskOptions.DEFAULT_QUEUE, 1) : queues;
	}

	private static Map<String, Integer> map(Binder binder) {
		Map<String, Integer> queues = binder.bind(PROPERTY, Bindable.mapOf(String.class, Integer.class))
			.orElse(Map.of());
		queues.forEach((name, weight) -> {
			check(PROPERTY, name, name);
			check(PROPERTY + "." + name, weight);
		});
		return queues;
	}

	private static Map<String, Integer> list(Binder binder, Map<String, Object> entries) {
		refuseWeightsBeside(entries);
		List<Queue> list = binder.bind(PROPERTY, Bindable.listOf(Queue.class)).get();
		Map<String, Integer> queues = new LinkedHashMap<>();
		for (int i = 0; i < list.size(); i++) {
			Queue queue = list.get(i);
			String property = PROPERTY + "[" + i + "]";
			String name = check(property + ".name", queue.name(), queue.name());
			check(property + ".weight", queue.weight());
			if (queues.put(name, queue.weight()) != null) {
				throw new InvalidAsynqPropertyException(property + ".name", name, "The queue is listed twice.");
			}
		}
		return queues;
	}

	private static void refuseWeightsBeside(Map<String, Object> entries) {
		entries.forEach((key, value) -> {
			if (!(value instanceof Map)) {
				throw new InvalidAsynqPropertyException(PROPERTY + "." + key, value, "'" + PROPERTY
						+ "' is set as a list elsewhere: use either a list of names and weights or a map, not both.");
			}
		});
	}

	private static String check(String property, @Nullable String name, @Nullable Object value) {
		if (name == null || Names.isBlank(name)) {
			throw new InvalidAsynqPropertyException(property, value, "Queue names must not be blank.");
		}
		return name;
	}

	private static void check(String property, int weight) {
		if (weight < 1) {
			throw new InvalidAsynqPropertyException(property, weight, "Weights of queues must be at least 1.");
		}
	}

	/**
	 * Element of the list form.
	 *
	 * @param name the queue's name
	 * @param weight its weight
	 */
	record Queue(@Nullable String name, @DefaultValue("1") int weight) {
	}

}
