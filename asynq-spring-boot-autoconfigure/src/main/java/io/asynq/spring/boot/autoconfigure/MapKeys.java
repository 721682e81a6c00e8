package io.asynq.spring.boot.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;

/**
 * Property binding would silently change or split names in keys that have no brackets
 * although they need them.
 */
final class MapKeys {

	private static final List<MapKeys> MAPS = List.of(
			new MapKeys("asynq.client.tasks.", false, attributes(AsynqProperties.TaskDefaults.class)),
			new MapKeys("asynq.server.retry.", false, attributes(AsynqProperties.Retry.class)),
			new MapKeys("asynq.limits.", false, attributes(AsynqProperties.Limit.class)),
			new MapKeys("asynq.server.queues.", true, attributes(AsynqProperties.Queue.class)),
			new MapKeys("asynq.scheduler.entries.", false, attributes(SchedulerEntries.Settings.class)));

	private final String prefix;

	/** Whether a name can be the end of the key, like that of a queue with its weight. */
	private final boolean plain;

	private final Set<String> attributes;

	private MapKeys(String prefix, boolean plain, Set<String> attributes) {
		this.prefix = prefix;
		this.plain = plain;
		this.attributes = attributes;
	}

	static void check(Environment environment) {
		if (environment instanceof ConfigurableEnvironment configurable) {
			for (PropertySource<?> source : configurable.getPropertySources()) {
				if (source instanceof EnumerablePropertySource<?> properties) {
					check(properties, environment);
				}
			}
		}
	}

	private static void check(EnumerablePropertySource<?> properties, Environment environment) {
		for (String property : properties.getPropertyNames()) {
			for (MapKeys map : MAPS) {
				if (property.regionMatches(true, 0, map.prefix, 0, map.prefix.length())) {
					map.check(property, environment);
				}
			}
		}
	}

	private void check(String property, Environment environment) {
		String key = property.substring(this.prefix.length());
		String name = name(key);
		if (key.isEmpty() || key.startsWith("[") || isKept(name)) {
			return;
		}
		String bracketed = this.prefix + "[" + name + "]" + key.substring(name.length());
		throw new InvalidAsynqPropertyException(property, environment.getProperty(property),
				"Property binding would change or split the name '" + name + "': write it in brackets, " + bracketed
						+ ", in YAML as the key '[" + name + "]'." + meant(property, name));
	}

	/** A setting of a queue that is not known looks like a name with a dot. */
	private String meant(String property, String name) {
		ConfigurationPropertyName meant = (name.indexOf('.') < 0) ? null
				: KnownProperties.ofClassPath().nearest(ConfigurationPropertyName.adapt(property, '.'));
		return (meant != null) ? " Or did you mean '" + meant + "'?" : "";
	}

	/**
	 * The text before an attribute; otherwise the whole key, or the text before a dot.
	 */
	private String name(String key) {
		int end = key.indexOf('.');
		for (int dot = end; dot >= 0; dot = key.indexOf('.', dot + 1)) {
			String next = key.substring(dot + 1).split("[.\\[]", 2)[0];
			if (this.attributes.contains(uniform(next))) {
				return key.substring(0, dot);
			}
		}
		return (end >= 0 && !this.plain) ? key.substring(0, end) : key;
	}

	private boolean isKept(String name) {
		ConfigurationPropertyName bound = ConfigurationPropertyName.adapt(this.prefix + name, '.');
		return name.equals(bound.getLastElement(Form.ORIGINAL));
	}

	private static Set<String> attributes(Class<? extends Record> values) {
		return Arrays.stream(values.getRecordComponents())
			.map((component) -> uniform(component.getName()))
			.collect(Collectors.toUnmodifiableSet());
	}

	private static String uniform(String name) {
		return name.replace("-", "").toLowerCase(Locale.ROOT);
	}

}
