package io.asynq.spring.boot.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import io.asynq.limit.LimitKey;
import io.asynq.limit.LimitRate;
import io.asynq.limit.TaskLimit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;

final class TaskLimitFactory {

	static final String PREFIX = "asynq.limits.";

	private static final String HEADER = "header:";

	private final Map<String, AsynqProperties.Limit> properties;

	private final BeanFactory beans;

	TaskLimitFactory(Map<String, AsynqProperties.Limit> properties, BeanFactory beans) {
		this.properties = properties;
		this.beans = beans;
	}

	Map<String, TaskLimit> create() {
		Map<String, TaskLimit> limits = new LinkedHashMap<>();
		this.properties.forEach((name, limit) -> limits.put(requireName(name), limit(PREFIX + name + ".", limit)));
		return limits;
	}

	private static String requireName(String name) {
		if (!name.matches("[A-Za-z0-9._-]{1,100}")) {
			throw new InvalidAsynqPropertyException(PREFIX + name, name,
					"Names of limits are letters, digits, dots, dashes and underscores, at most 100.");
		}
		return name;
	}

	private TaskLimit limit(String prefix, AsynqProperties.Limit limit) {
		Integer concurrent = limit.concurrent();
		if (concurrent != null && concurrent < 1) {
			throw new InvalidAsynqPropertyException(prefix + "concurrent", concurrent,
					"At least 1 task must be allowed to run; to hold tasks back, pause their queue.");
		}
		LimitRate rate = rate(prefix, limit);
		if (concurrent == null && rate == null) {
			throw new InvalidAsynqPropertyException(prefix + "concurrent", null,
					"A limit needs '" + prefix + "concurrent', '" + prefix + "rate', or both.");
		}
		return new TaskLimit((concurrent != null) ? concurrent : 0, rate, key(prefix, limit.key()));
	}

	private static @Nullable LimitRate rate(String prefix, AsynqProperties.Limit limit) {
		String text = limit.rate();
		Integer burst = limit.burst();
		if (text == null) {
			if (burst != null) {
				throw new InvalidAsynqPropertyException(prefix + "burst", burst,
						"It has no meaning without '" + prefix + "rate'.");
			}
			return null;
		}
		LimitRate rate;
		try {
			rate = LimitRate.parse(text);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidAsynqPropertyException(prefix + "rate", text, sentence(ex));
		}
		try {
			return (burst != null) ? rate.withBurst(burst) : rate;
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidAsynqPropertyException(prefix + "burst", burst, sentence(ex));
		}
	}

	private @Nullable LimitKey key(String prefix, @Nullable String key) {
		if (key == null || key.isBlank()) {
			return null;
		}
		if (key.startsWith(HEADER) && key.length() > HEADER.length()) {
			return LimitKey.header(key.substring(HEADER.length()));
		}
		try {
			return this.beans.getBean(key, LimitKey.class);
		}
		catch (BeansException ex) {
			throw new InvalidAsynqPropertyException(prefix + "key", key,
					"It must be 'header:' and the name of a header, or the name of a LimitKey bean: "
							+ ex.getMessage());
		}
	}

	private static String sentence(IllegalArgumentException ex) {
		String text = String.valueOf(ex.getMessage());
		return text.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + text.substring(1) + ".";
	}

}
