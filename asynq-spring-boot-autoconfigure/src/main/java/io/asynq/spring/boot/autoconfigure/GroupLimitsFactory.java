package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

import io.asynq.broker.GroupLimits;
import org.jspecify.annotations.Nullable;

/**
 * Turns properties into {@link GroupLimits}: those of all queues, and those of one, which
 * may set only some.
 */
final class GroupLimitsFactory {

	private final AsynqProperties.Server properties;

	GroupLimitsFactory(AsynqProperties.Server properties) {
		this.properties = properties;
	}

	GroupLimits ofAllQueues() {
		return apply(GroupLimits.defaults(), ServerOptionsFactory.PREFIX + "group-", this.properties.groupGracePeriod(),
				this.properties.groupMaxDelay(), this.properties.groupMaxSize());
	}

	Map<String, GroupLimits> byQueue() {
		GroupLimits all = ofAllQueues();
		Map<String, GroupLimits> byQueue = new LinkedHashMap<>();
		this.properties.groups()
			.forEach((queue, groups) -> byQueue.put(queue,
					apply(all, ServerOptionsFactory.PREFIX + "groups." + queue + ".", groups.gracePeriod(),
							groups.maxDelay(), groups.maxSize())));
		return byQueue;
	}

	private static GroupLimits apply(GroupLimits limits, String prefix, @Nullable Duration gracePeriod,
			@Nullable Duration maxDelay, @Nullable Integer maxSize) {
		GroupLimits changed = apply(limits, prefix + "grace-period", gracePeriod, limits::withGracePeriod);
		changed = apply(changed, prefix + "max-delay", maxDelay, changed::withMaxDelay);
		return apply(changed, prefix + "max-size", maxSize, changed::withMaxSize);
	}

	private static <T> GroupLimits apply(GroupLimits limits, String property, @Nullable T value,
			Function<T, GroupLimits> change) {
		try {
			return (value != null) ? change.apply(value) : limits;
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidAsynqPropertyException(property, value, ex.getMessage() + ".");
		}
	}

}
