package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.scheduler.MissedFirePolicy;
import io.asynq.scheduler.PeriodicTask;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

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
	 * @return the periodic tasks, in their order
	 */
	static List<PeriodicTask> from(Environment environment) {
		Binder binder = Binder.get(environment);
		Map<String, Object> raw = binder.bind(PROPERTY, Bindable.mapOf(String.class, Object.class)).orElse(Map.of());
		if (raw.isEmpty()) {
			return List.of();
		}
		List<PeriodicTask> tasks = new ArrayList<>();
		if (isList(raw)) {
			List<Entry> list = binder.bind(PROPERTY, Bindable.listOf(Entry.class)).get();
			for (int i = 0; i < list.size(); i++) {
				tasks.add(task(PROPERTY + "[" + i + "]", list.get(i), list.get(i).id()));
			}
			return tasks;
		}
		binder.bind(PROPERTY, Bindable.mapOf(String.class, Entry.class))
			.get()
			.forEach(
					(id, entry) -> tasks.add(task(PROPERTY + "." + id, entry, (entry.id() != null) ? entry.id() : id)));
		return tasks;
	}

	private static boolean isList(Map<String, Object> raw) {
		return IntStream.range(0, raw.size()).mapToObj(String::valueOf).allMatch(raw::containsKey);
	}

	private static PeriodicTask task(String property, Entry entry, @Nullable String id) {
		String type = required(property + ".type", entry.type());
		String cron = required(property + ".cron", entry.cron());
		Task task = (entry.payload() != null) ? Task.of(type, entry.payload()) : Task.of(type, (byte[]) null);
		PeriodicTask periodic = PeriodicTask.of(cron, task).options(entry::apply);
		periodic = (id != null) ? periodic.id(id) : periodic;
		periodic = (entry.zone() != null) ? periodic.zone(entry.zone()) : periodic;
		return (entry.missedFires() != null) ? periodic.missedFires(entry.missedFires()) : periodic;
	}

	private static String required(String property, @Nullable String value) {
		if (!StringUtils.hasText(value)) {
			throw new InvalidAsynqPropertyException(property, value,
					"A periodic task needs both 'cron' and 'type', and neither may be blank.");
		}
		return value;
	}

	/**
	 * One entry.
	 *
	 * @param id its identity, in the form of a map the key
	 * @param cron when it fires
	 * @param zone where
	 * @param type type of its tasks
	 * @param payload text that is their payload
	 * @param queue their queue
	 * @param maxRetry number of retries
	 * @param timeout time for one attempt
	 * @param unique time for which a second one is refused
	 * @param processIn time until they become pending
	 * @param retention time for which completed ones are kept
	 * @param group their group
	 * @param headers their headers
	 * @param missedFires what becomes of fires while no scheduler was there
	 */
	record Entry(@Nullable String id, @Nullable String cron, @Nullable String zone, @Nullable String type,
			@Nullable String payload, @Nullable String queue, @Nullable Integer maxRetry, @Nullable Duration timeout,
			@Nullable Duration unique, @Nullable Duration processIn, @Nullable Duration retention,
			@Nullable String group, @DefaultValue Map<String, String> headers, @Nullable MissedFirePolicy missedFires) {

		void apply(TaskOptions.Builder options) {
			PropertyMapper map = PropertyMapper.get();
			map.from(this::queue).to(options::queue);
			map.from(this::maxRetry).to(options::maxRetry);
			map.from(this::timeout).to(options::timeout);
			map.from(this::unique).to(options::unique);
			map.from(this::processIn).to(options::processIn);
			map.from(this::retention).to(options::retention);
			map.from(this::group).to(options::group);
			options.headers(this.headers);
		}

	}

}
