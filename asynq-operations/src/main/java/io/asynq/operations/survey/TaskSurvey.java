package io.asynq.operations.survey;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.asynq.Broker;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.inspect.TaskListing;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Text;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;

public class TaskSurvey {

	public static final int SLICE = TaskListing.SLICE;

	/** At most this many tasks that wait for limits are told apart from retries. */
	public static final int MOST_WAITING = 1000;

	private static final int AT_ONCE = 256;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final TaskListing listing;

	public TaskSurvey(Broker handle) {
		RedisBroker broker = RedisBroker.of(handle);
		this.scripts = broker.scripts();
		this.time = broker.time();
		this.listing = new TaskListing(this.scripts, this.time);
	}

	/** At most {@value #SLICE} tasks and 4 MiB, but always one. */
	public Slice slice(String queue, TaskState state, @Nullable String group, long offset, int limit) {
		Keys keys = Keys.of(queue);
		List<TaskInfo> tasks = new ArrayList<>();
		long looked = this.listing.read(queue, state, (group != null) ? keys.group(group) : keys.container(state),
				offset, limit, tasks);
		return new Slice(tasks, (int) looked);
	}

	/** A lock with a key of one's own is not found while the task is in a group. */
	public Standing standing(TaskInfo task) {
		Keys keys = Keys.of(task.queue());
		List<Object> answer = this.scripts.runList(LuaScript.READ_BESIDE, Text.task(task.queue(), task.id()),
				List.of(keys.task(task.id()), keys.lease()), this.time.argument(), task.id(),
				keys.unique(task.type(), task.payload()));
		String held = Text.of(answer.get(0));
		String end = Text.of(answer.get(1));
		Instant leaseEnds = end.isEmpty() ? null : Text.instant(end);
		return new Standing(held.isEmpty() ? null : held, held.isEmpty() ? null : rest(held), leaseEnds,
				leaseEnds != null && leaseEnds.isAfter(Text.ofNanos(answer.get(2))));
	}

	/**
	 * Overdue retries are in the first step; of more than {@value #MOST_WAITING} tasks
	 * that wait for limits, some are counted as well.
	 */
	public List<Long> retriesAhead(String queue, Duration step, int steps) {
		Keys keys = Keys.of(queue);
		return this.scripts
			.runList(LuaScript.READ_AHEAD, Text.queue(queue), List.of(keys.retry(), keys.waiting()),
					this.time.argument(), step.toSeconds(), steps, keys.taskPrefix(), MOST_WAITING)
			.stream()
			.map(Long.class::cast)
			.toList();
	}

	public Map<String, Instant> pausedSince(Collection<String> queues) {
		Map<String, Instant> paused = new LinkedHashMap<>();
		together(queues, (some) -> readPauses(some, paused));
		return paused;
	}

	/** Active tasks that nobody has recovered although their lease has ended. */
	public Map<String, Orphaned> orphaned(Collection<String> queues, Duration grace) {
		Map<String, Orphaned> orphaned = new LinkedHashMap<>();
		together(queues, (some) -> {
			List<Object> answer = this.scripts.runList(LuaScript.READ_ORPHANED, some.size() + " leases",
					some.stream().map((queue) -> Keys.of(queue).lease()).toList(), this.time.argument(),
					grace.toSeconds());
			for (int i = 0; i < some.size(); i++) {
				long tasks = (Long) answer.get(2 * i);
				if (tasks > 0) {
					orphaned.put(some.get(i), new Orphaned(tasks, Text.instant(Text.of(answer.get(2 * i + 1)))));
				}
			}
		});
		return orphaned;
	}

	/** On a cluster a script reads queues of one slot only. */
	private void together(Collection<String> queues, Consumer<List<String>> action) {
		Collection<List<String>> together = (!queues.isEmpty() && this.scripts.seesCluster())
				? queues.stream().collect(Collectors.groupingBy(TaskSurvey::slot)).values()
				: List.of(List.copyOf(queues));
		for (List<String> all : together) {
			for (int from = 0; from < all.size(); from += AT_ONCE) {
				action.accept(all.subList(from, Math.min(from + AT_ONCE, all.size())));
			}
		}
	}

	private void readPauses(List<String> queues, Map<String, Instant> paused) {
		List<String> keys = new ArrayList<>();
		queues.forEach((queue) -> keys.add(Keys.of(queue).paused()));
		List<Object> answer = this.scripts.runList(LuaScript.READ_TEXTS, queues.size() + " pauses", keys);
		for (int i = 0; i < answer.size(); i++) {
			String seconds = Text.of(answer.get(i));
			if (seconds.matches("[1-9]\\d{0,11}")) {
				paused.put(queues.get(i), Text.instant(seconds));
			}
		}
	}

	/** The rule for asynq's user does not have this command: it is for people only. */
	private @Nullable Duration rest(String lock) {
		try {
			Long millis = this.scripts.<@Nullable Long>run("PTTL", "lock '" + lock + "'",
					(template) -> template.getExpire(lock, TimeUnit.MILLISECONDS));
			return (millis != null && millis >= 0) ? Duration.ofMillis(millis) : null;
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (BrokerException ex) {
			return null;
		}
	}

	private static int slot(String queue) {
		return ClusterSlotHashUtil.calculateSlot(Text.utf8(Keys.of(queue).paused()));
	}

	public record Orphaned(long tasks, Instant since) {
	}

	/** Having looked at no place means the end; having no tasks does not. */
	public record Slice(List<TaskInfo> tasks, int looked) {
	}

	/** {@code leased} goes by Redis's clock. */
	public record Standing(@Nullable String lock, @Nullable Duration lockEndsIn, @Nullable Instant leaseEnds,
			boolean leased) {
	}

}
