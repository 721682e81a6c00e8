package io.asynq.operations.survey;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.QueueInfo;
import org.jspecify.annotations.Nullable;

/**
 * One call looks at a bounded number of tasks, and says at how many of how many.
 */
public final class FailureGroups {

	private static final int SAMPLES = 3;

	private static final int MOST_GROUPS = 500;

	private static final long MOST_BYTES = 64L * 1024 * 1024;

	private static final int STEPS = 12;

	private static final Duration STEP = Duration.ofMinutes(5);

	/** Of more, asynq keeps the newest. */
	private static final long ARCHIVE = 9_999;

	public static final List<TaskState> STATES = List.of(TaskState.ARCHIVED, TaskState.RETRY);

	private final TaskSearch search;

	private final Clock clock;

	public FailureGroups(TaskSearch search, Clock clock) {
		this.search = search;
		this.clock = clock;
	}

	/** Those with the text come first, then the largest. */
	public <T> Found<T> find(List<QueueInfo> queues, Collection<TaskState> states, @Nullable String text,
			@Nullable String cursor, Function<TaskInfo, T> sample) {
		List<Sized> ranges = ranges(queues, states);
		long total = total(ranges);
		boolean cut = states.contains(TaskState.ARCHIVED)
				&& queues.stream().anyMatch((queue) -> queue.size(TaskState.ARCHIVED) >= ARCHIVE);
		long from = TaskSearch.position(cursor);
		Groups<T> groups = new Groups<>(this.clock.instant(), text, sample);
		long scanned = walk(ranges, from, groups::add, () -> true);
		boolean exact = from == 0 && scanned >= total && !cut && queues.stream().allMatch(this::isUnchanged);
		List<FailureGroup<T>> sorted = groups.byKey.entrySet()
			.stream()
			.map((group) -> group.getValue().toGroup(group.getKey(), exact))
			.sorted(Comparator.comparing((FailureGroup<T> group) -> !group.found())
				.thenComparing((group) -> -group.count()))
			.limit(MOST_GROUPS)
			.toList();
		return new Found<>(sorted, groups.byKey.size(), scanned, total, next(scanned, total));
	}

	/** While tasks come and go, some are passed over. */
	private boolean isUnchanged(QueueInfo queue) {
		return this.search.stats(queue.queue())
			.filter((now) -> now.total().failed() == queue.failedTotal()
					&& STATES.stream().allMatch((state) -> now.sizes().get(state) == queue.size(state)))
			.isPresent();
	}

	/** The newest first, a part at each call. */
	public <T> FoundTasks<T> tasks(List<QueueInfo> queues, Collection<TaskState> states, String key,
			@Nullable String cursor, int size, Function<TaskInfo, T> line) {
		List<Sized> ranges = ranges(queues, states);
		long total = total(ranges);
		List<T> found = new ArrayList<>();
		List<T> step = new ArrayList<>();
		long scanned = walk(ranges, TaskSearch.position(cursor), (task) -> {
			if (FailureKey.hasFailed(task) && FailureKey.of(task).text().equals(key)) {
				step.add(line.apply(task));
			}
		}, () -> {
			Collections.reverse(step);
			found.addAll(step);
			step.clear();
			return found.size() < size;
		});
		return new FoundTasks<>(found, next(scanned, total), Math.min(scanned, total), total);
	}

	/** The newest step first: what happens now is what people look for. */
	private long walk(List<Sized> ranges, long from, Consumer<TaskInfo> visitor, BooleanSupplier more) {
		long end = Math.min(total(ranges), from + this.search.scanLimit());
		long[] bytes = { 0 };
		long before = 0;
		long scanned = from;
		for (Sized range : ranges) {
			long seen = Math.max(0, from - before);
			while (seen < range.size() && before + seen < end) {
				if (scanned > from && (!more.getAsBoolean() || bytes[0] >= MOST_BYTES)) {
					return scanned;
				}
				long step = Math.min(TaskSurvey.SLICE, Math.min(range.size() - seen, end - before - seen));
				this.search.walk(range.range(), range.size() - seen - step, step, (task) -> {
					byte[] payload = task.payload();
					bytes[0] += (payload != null) ? payload.length : 0;
					visitor.accept(task);
					return true;
				});
				seen += step;
				scanned = before + seen;
			}
			before += range.size();
		}
		more.getAsBoolean();
		return scanned;
	}

	private static List<Sized> ranges(List<QueueInfo> queues, Collection<TaskState> states) {
		return queues.stream()
			.flatMap((queue) -> STATES.stream()
				.filter(states::contains)
				.map((state) -> new Sized(new TaskRange(queue.queue(), state, null), queue.size(state))))
			.toList();
	}

	private static long total(List<Sized> ranges) {
		return ranges.stream().mapToLong(Sized::size).sum();
	}

	private static @Nullable String next(long scanned, long total) {
		return (scanned < total) ? String.valueOf(scanned) : null;
	}

	private record Sized(TaskRange range, long size) {
	}

	/** Five hundred groups at most, the largest first. */
	public record Found<T>(List<FailureGroup<T>> groups, int groupCount, long scanned, long total,
			@Nullable String next) {
	}

	private static final class Groups<T> {

		private final Map<FailureKey, Collected<T>> byKey = new HashMap<>();

		private final Instant now;

		private final @Nullable String text;

		private final Function<TaskInfo, T> sample;

		Groups(Instant now, @Nullable String text, Function<TaskInfo, T> sample) {
			this.now = now;
			this.text = (text != null) ? text.toLowerCase(Locale.ROOT) : null;
			this.sample = sample;
		}

		void add(TaskInfo task) {
			if (!FailureKey.hasFailed(task)) {
				return;
			}
			Collected<T> group = this.byKey.computeIfAbsent(FailureKey.of(task), (key) -> new Collected<>());
			group.found |= this.text == null
					|| (task.type() + "\n" + task.lastError()).toLowerCase(Locale.ROOT).contains(this.text);
			group.add(task, this.now, this.sample);
		}

	}

	private static final class Collected<T> {

		private final Map<String, Long> queues = new TreeMap<>();

		private final Map<TaskState, Long> states = new EnumMap<>(TaskState.class);

		private final long[] lastHour = new long[STEPS];

		private final Map<Instant, T> samples = new LinkedHashMap<>();

		private long count;

		private boolean found;

		private @Nullable Instant earliest;

		private @Nullable Instant latest;

		void add(TaskInfo task, Instant now, Function<TaskInfo, T> sample) {
			this.count++;
			this.queues.merge(task.queue(), 1L, Long::sum);
			this.states.merge(task.state(), 1L, Long::sum);
			Instant failed = task.lastFailedAt();
			if (failed != null) {
				long ago = Duration.between(failed, now).toMillis() / STEP.toMillis();
				if (ago >= 0 && ago < STEPS) {
					this.lastHour[STEPS - 1 - (int) ago]++;
				}
				Instant earliest = this.earliest;
				Instant latest = this.latest;
				this.earliest = (earliest == null || failed.isBefore(earliest)) ? failed : earliest;
				this.latest = (latest == null || failed.isAfter(latest)) ? failed : latest;
			}
			keepLatest((failed != null) ? failed : Instant.EPOCH, task, sample);
		}

		private void keepLatest(Instant failed, TaskInfo task, Function<TaskInfo, T> sample) {
			if (this.samples.size() < SAMPLES) {
				// One of each second, so that they differ
				this.samples.computeIfAbsent(failed, (time) -> sample.apply(task));
				return;
			}
			Instant oldest = this.samples.keySet().stream().min(Comparator.naturalOrder()).orElse(failed);
			if (failed.isAfter(oldest) && !this.samples.containsKey(failed)) {
				this.samples.remove(oldest);
				this.samples.put(failed, sample.apply(task));
			}
		}

		FailureGroup<T> toGroup(FailureKey key, boolean exact) {
			List<T> latestFirst = this.samples.entrySet()
				.stream()
				.sorted(Map.Entry.<Instant, T>comparingByKey().reversed())
				.map(Map.Entry::getValue)
				.toList();
			return new FailureGroup<>(key.text(), key.type(), key.signature(), this.count, exact,
					Map.copyOf(this.queues), new EnumMap<>(this.states), this.earliest, this.latest,
					new ArrayList<>(IntStream.range(0, STEPS).mapToObj((i) -> this.lastHour[i]).toList()), this.found,
					latestFirst);
		}

	}

}
