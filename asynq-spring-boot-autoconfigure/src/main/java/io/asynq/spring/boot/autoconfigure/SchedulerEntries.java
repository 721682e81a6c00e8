package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.asynq.Task;
import io.asynq.internal.text.GoText;
import io.asynq.schedule.InvalidPeriodicTaskException;
import io.asynq.schedule.MissedFirePolicy;
import io.asynq.schedule.PeriodicTaskDefinition;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;

/**
 * Entries are a map by id, or a list, where ids need no brackets.
 */
final class SchedulerEntries {

	static final String PROPERTY = "asynq.scheduler.entries";

	private SchedulerEntries() {
	}

	static Map<String, Entry> from(Environment environment) {
		Binder binder = Binder.get(environment);
		Map<String, Object> raw = binder.bind(PROPERTY, Bindable.mapOf(String.class, Object.class)).orElse(Map.of());
		Map<String, Entry> entries = new LinkedHashMap<>();
		if (raw.isEmpty()) {
			return entries;
		}
		if (isList(raw)) {
			List<Settings> list = binder.bind(PROPERTY, Bindable.listOf(Settings.class)).get();
			for (int i = 0; i < list.size(); i++) {
				String index = String.valueOf(i);
				entries.put(PROPERTY + "[" + i + "]", new Entry(list.get(i).id(), list.get(i), raw.get(index)));
			}
			return entries;
		}
		Map<String, Settings> map = binder.bind(PROPERTY, Bindable.mapOf(String.class, Settings.class))
			.orElse(Map.of());
		raw.forEach((key, value) -> {
			Settings settings = map.get(key);
			String id = (settings != null && settings.id() != null) ? settings.id() : key;
			String property = PROPERTY + "." + key;
			entries.put(ConfigurationPropertyName.isValid(property) ? property : PROPERTY + "[" + key + "]",
					new Entry(id, settings, value));
		});
		return entries;
	}

	private static boolean isList(Map<String, Object> raw) {
		return IntStream.range(0, raw.size()).mapToObj(String::valueOf).allMatch(raw::containsKey);
	}

	/**
	 * @param settings {@code null} if it has no known ones
	 */
	record Entry(@Nullable String id, @Nullable Settings settings, @Nullable Object raw) {

		PeriodicTaskDefinition periodicTask() {
			Settings settings = this.settings;
			if (settings == null) {
				throw new InvalidPeriodicTaskException(List.of("it has neither 'cron' nor 'type', which a periodic task"
						+ " needs; a key with a dot must be in brackets, as in \"[a.b]\""));
			}
			List<String> problems = new ArrayList<>();
			String type = required("type", settings.type(), problems);
			String cron = required("cron", settings.cron(), problems);
			if (this.raw instanceof Map<?, ?> map && map.get("payload") instanceof Map) {
				problems.add("its 'payload' is not a text: write JSON as text, in quotes, as in '{\"full\":true}'");
			}
			if (!problems.isEmpty()) {
				throw new InvalidPeriodicTaskException(problems);
			}
			String payload = settings.payload();
			Task task = (payload != null) ? Task.of(type, payload) : Task.of(type, (byte[]) null);
			PeriodicTaskDefinition periodic = PeriodicTaskDefinition.of(cron, task)
				.options((options) -> BoundOptions.apply(PROPERTY + ".", settings, options));
			periodic = (this.id != null) ? periodic.id(this.id) : periodic;
			periodic = (settings.zone() != null) ? periodic.zone(settings.zone()) : periodic;
			return (settings.missedFires() != null) ? periodic.missedFires(settings.missedFires()) : periodic;
		}

		private static String required(String name, @Nullable String value, List<String> problems) {
			if (value == null || GoText.isBlank(value)) {
				problems.add("its '" + name + "' is missing or blank: a periodic task needs both 'cron' and 'type'");
				return "";
			}
			return value;
		}

	}

	/** Named like the attributes of {@link io.asynq.annotation.PeriodicTask}. */
	record Settings(@Nullable String id, @Nullable String cron, @Nullable String zone, @Nullable String type,
			@Nullable String payload, @Nullable String queue, @Nullable Integer maxRetry, @Nullable String taskId,
			@Nullable Duration timeout, @Nullable Duration unique, @Nullable String uniqueKey,
			@Nullable Boolean replaceArchived, @Nullable Duration processIn, @Nullable Duration retention,
			@Nullable String group, @DefaultValue Map<String, String> headers, @Nullable MissedFirePolicy missedFires) {
	}

}
