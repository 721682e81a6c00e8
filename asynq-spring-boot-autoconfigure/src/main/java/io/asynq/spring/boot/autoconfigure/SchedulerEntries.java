package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.asynq.Names;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.scheduler.InvalidPeriodicTaskException;
import io.asynq.scheduler.MissedFirePolicy;
import io.asynq.scheduler.PeriodicTask;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;

/**
 * Reads {@code asynq.scheduler.entries}: a map by id, or a list, which takes ids that
 * would need brackets as keys of a map.
 */
final class SchedulerEntries {

	static final String PROPERTY = "asynq.scheduler.entries";

	private SchedulerEntries() {
	}

	/**
	 * Reads the entries.
	 * @param environment where from
	 * @return the entries by their properties, in their order
	 */
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
	 * One entry.
	 *
	 * @param id its identity, {@code null} for the default
	 * @param settings what it consists of, {@code null} if it has nothing that is known
	 * @param raw the same before it was read
	 */
	record Entry(@Nullable String id, @Nullable Settings settings, @Nullable Object raw) {

		/**
		 * Makes a periodic task of it.
		 * @return the periodic task
		 * @throws InvalidPeriodicTaskException if something is missing, or is no text
		 */
		PeriodicTask periodicTask() {
			Settings settings = this.settings;
			if (settings == null) {
				throw new InvalidPeriodicTaskException(List.of("it has neither 'cron' nor 'type', which a periodic task"
						+ " needs; a key with a dot must be in brackets, as in \"[a.b]\""));
			}
			List<String> problems = new ArrayList<>();
			String type = required("type", settings.type(), problems);
			String cron = required("cron", settings.cron(), problems);
			if (this.raw instanceof Map<?, ?> map && map.get("payload") instanceof Map) {
				problems.add("its 'payload' is no text: write JSON as text, in quotes, as in '{\"full\":true}'");
			}
			if (!problems.isEmpty()) {
				throw new InvalidPeriodicTaskException(problems);
			}
			String payload = settings.payload();
			Task task = (payload != null) ? Task.of(type, payload) : Task.of(type, (byte[]) null);
			PeriodicTask periodic = PeriodicTask.of(cron, task).options(settings::apply);
			periodic = (this.id != null) ? periodic.id(this.id) : periodic;
			periodic = (settings.zone() != null) ? periodic.zone(settings.zone()) : periodic;
			return (settings.missedFires() != null) ? periodic.missedFires(settings.missedFires()) : periodic;
		}

		private static String required(String name, @Nullable String value, List<String> problems) {
			if (value == null || Names.isBlank(value)) {
				problems.add("its '" + name + "' is missing or blank: a periodic task needs both 'cron' and 'type'");
				return "";
			}
			return value;
		}

	}

	/**
	 * What an entry consists of.
	 *
	 * @param id its identity, in the form of a map the key
	 * @param cron when it fires
	 * @param zone where
	 * @param type type of its tasks
	 * @param payload text that is their payload
	 * @param queue their queue
	 * @param maxRetry number of retries
	 * @param taskId the id of each of them
	 * @param timeout time for one attempt
	 * @param unique time for which a second one is refused
	 * @param processIn time until they become pending
	 * @param retention time for which completed ones are kept
	 * @param group their group
	 * @param headers their headers
	 * @param missedFires what becomes of fires while no scheduler was there
	 */
	record Settings(@Nullable String id, @Nullable String cron, @Nullable String zone, @Nullable String type,
			@Nullable String payload, @Nullable String queue, @Nullable Integer maxRetry, @Nullable String taskId,
			@Nullable Duration timeout, @Nullable Duration unique, @Nullable Duration processIn,
			@Nullable Duration retention, @Nullable String group, @DefaultValue Map<String, String> headers,
			@Nullable MissedFirePolicy missedFires) {

		void apply(TaskOptions.Builder options) {
			PropertyMapper map = PropertyMapper.get();
			map.from(this::queue).to(options::queue);
			map.from(this::maxRetry).to(options::maxRetry);
			map.from(this::taskId).to(options::taskId);
			map.from(this::timeout).to(options::timeout);
			map.from(this::unique).to(options::unique);
			map.from(this::processIn).to(options::processIn);
			map.from(this::retention).to(options::retention);
			map.from(this::group).to(options::group);
			options.headers(this.headers);
		}

	}

}
