package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.asynq.TaskOptions;
import io.asynq.group.GroupLimits;
import io.asynq.internal.text.GoText;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.server.QueueSpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Queues are a map by name, or a list, where names need no brackets; both are bound as a
 * map, a list by its indexes.
 */
final class QueueSpecFactory {

	private static final Logger logger = OneLineLogger.of(QueueSpecFactory.class);

	private static final String PROPERTY = ServerOptionsFactory.PREFIX + "queues";

	private final AsynqProperties.Server properties;

	QueueSpecFactory(AsynqProperties.Server properties) {
		this.properties = properties;
	}

	GroupLimits groupLimits() {
		return limits(GroupLimits.defaults(), ServerOptionsFactory.PREFIX, this.properties.groupGracePeriod(),
				this.properties.groupMaxDelay(), this.properties.groupMaxSize());
	}

	Map<String, QueueSpec> queues() {
		boolean list = isList();
		Map<String, QueueSpec> specs = new LinkedHashMap<>();
		this.properties.queues().forEach((key, queue) -> {
			String property = PROPERTY + (list ? "[" + key + "]" : "." + key);
			String name = list ? listed(key, queue, property + ".name") : named(key);
			if (specs.put(name, spec(queue, property, list ? property + ".weight" : property)) != null) {
				throw new InvalidAsynqPropertyException(property + ".name", name, "The queue is listed twice.");
			}
			if (!list && queue.weight() == null && queue.limit().isEmpty() && !name.equals(TaskOptions.DEFAULT_QUEUE)) {
				logger.warn("Queue {} has group settings, but no weight: it is worked on with weight 1. Set '{}.weight'"
						+ " if that is meant, else correct the queue's name there", name, property);
			}
		});
		return specs;
	}

	/** An element of a list that lacks its name is not a queue named by its index. */
	private boolean isList() {
		Map<String, AsynqProperties.Queue> queues = this.properties.queues();
		return queues.values().stream().anyMatch((queue) -> queue.name() != null) || (!queues.isEmpty()
				&& IntStream.range(0, queues.size()).mapToObj(String::valueOf).allMatch(queues::containsKey));
	}

	private static String named(String name) {
		if (GoText.isBlank(name)) {
			throw new InvalidAsynqPropertyException(PROPERTY, name, "Queue names must not be blank.");
		}
		return name;
	}

	private static String listed(String key, AsynqProperties.Queue queue, String property) {
		if (!key.matches("\\d+")) {
			throw new InvalidAsynqPropertyException(PROPERTY + "." + key, queue, "'" + PROPERTY
					+ "' is set as a list elsewhere: use either a list of names and settings or a map, not both.");
		}
		String name = queue.name();
		if (name == null || GoText.isBlank(name)) {
			throw new InvalidAsynqPropertyException(property, name,
					"Queue names must not be blank: each element of a list needs one, also for a queue named by a number.");
		}
		return name;
	}

	private QueueSpec spec(AsynqProperties.Queue queue, String property, String weightProperty) {
		int weight = (queue.weight() != null) ? queue.weight() : 1;
		if (weight < 1) {
			throw new InvalidAsynqPropertyException(weightProperty, weight, "Weights of queues must be at least 1.");
		}
		GroupLimits all = groupLimits();
		GroupLimits own = limits(all, property + ".", queue.groupGracePeriod(), queue.groupMaxDelay(),
				queue.groupMaxSize());
		return new QueueSpec(weight, (own != all) ? own : null, queue.limit());
	}

	private static GroupLimits limits(GroupLimits limits, String prefix, @Nullable Duration gracePeriod,
			@Nullable Duration maxDelay, @Nullable Integer maxSize) {
		GroupLimits changed = change(prefix + "group-grace-period", gracePeriod, limits, limits::withGracePeriod);
		changed = change(prefix + "group-max-delay", maxDelay, changed, changed::withMaxDelay);
		return change(prefix + "group-max-size", maxSize, changed, changed::withMaxSize);
	}

	private static <T> GroupLimits change(String property, @Nullable T value, GroupLimits limits,
			Function<T, GroupLimits> change) {
		try {
			return (value != null) ? change.apply(value) : limits;
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidAsynqPropertyException(property, value, ex.getMessage() + ".");
		}
	}

}
