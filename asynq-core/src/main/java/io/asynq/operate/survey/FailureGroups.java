package io.asynq.operate.survey;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.broker.survey.TaskSurvey;
import io.asynq.info.QueueInfo;
import org.jspecify.annotations.Nullable;

/**
 * Groups what is in retry and in the archives of queues by why it has failed. One call
 * looks at a bounded number of tasks, and says at how many of how many. Safe for
 * concurrent use.
 */
public final class FailureGroups {

	private static final int SAMPLES = 3;

	private static final int MOST_GROUPS = 500;

	private static final long MOST_BYTES = 64L * 1024 * 1024;

	private static final int STEPS = 12;

	private static final Duration STEP = Duration.ofMinutes(5);

	/** Of more, asynq keeps the newest. */
	private static final long ARCHIVE = 9_999;

	private static final List<TaskState> STATES = List.of(TaskState.ARCHIVED, TaskState.RETRY);

	private final TaskSearch search;

	private final Clock clock;

	public FailureGroups(TaskSearch search, Clock clock) {
		this.search = search;
		this.clock = clock;
	}

	/**
	 * Groups the failures of queues.
	 * @param queues the queues, as they were read a moment ago
	 * @param cursor the {@code next} of an earlier answer, {@code null} to begin
	 * @param sample what is kept of a sample
	 * @return the groups of this part, the largest first
	 */
	public <T> Found<T> find(List<QueueInfo> queues, @Nullable String cursor, Function<TaskInfo, T> sample) {
		long total = queues.stream().mapToLong(FailureGroups::failures).sum();
		boolean cut = queues.stream().anyMatch((queue) -> queue.size(TaskState.ARCHIVED) >= ARCHIVE);
		long from = Cursors.position(cursor);
		long end = Math.min(total, from + this.search.scanLimit());
		Groups<T> groups = new Groups<>(this.clock.instant(), sample);
		long before = 0;
		long scanned = from;
		for (QueueInfo queue : queues) {
			for (TaskState state : STATES) {
				TaskRange range = new TaskRange(queue.queue(), state, null);
				long size = queue.size(state);
				// Newest first: what happens now is what people look for
				long seen = Math.max(0, from - before);
				while (seen < size && before + seen < end && groups.bytes < MOST_BYTES) {
					long step = Math.min(TaskSurvey.SLICE, Math.min(size - seen, end - before - seen));
					this.search.walk(range, size - seen - step, step, groups::add);
					seen += step;
					scanned = before + seen;
				}
				before += size;
			}
		}
		boolean exact = from == 0 && scanned >= total && !cut && queues.stream().allMatch(this::isUnchanged);
		List<FailureGroup<T>> sorted = groups.byKey.entrySet()
			.stream()
			.sorted(Comparator.comparingLong((Map.Entry<FailureKey, Collected<T>> group) -> -group.getValue().count))
			.limit(MOST_GROUPS)
			.map((group) -> group.getValue().toGroup(group.getKey(), exact))
			.toList();
		return new Found<>(sorted, groups.byKey.size(), scanned, total,
				(scanned < total) ? String.valueOf(scanned) : null);
	}

	/** While tasks come and go, some are passed over. */
	private boolean isUnchanged(QueueInfo queue) {
		return this.search.stats(queue.queue())
			.filter((now) -> now.total().failed() == queue.failedTotal()
					&& STATES.stream().allMatch((state) -> now.sizes().get(state) == queue.size(state)))
			.isPresent();
	}

	private static long failures(QueueInfo queue) {
		return STATES.stream().mapToLong(queue::size).sum();
	}

	/**
	 * Groups of a part.
	 *
	 * @param groups the largest first, five hundred at most
	 * @param groupCount how many there are
	 * @param scanned at how many tasks was looked since the beginning
	 * @param total how many failures there are
	 * @param next where to go on, {@code null} at the end
	 */
	public record Found<T>(List<FailureGroup<T>> groups, int groupCount, long scanned, long total,
			@Nullable String next) {
	}

	private static final class Groups<T> {

		private final Map<FailureKey, Collected<T>> byKey = new HashMap<>();

		private final Instant now;

		private final Function<TaskInfo, T> sample;

		private long bytes;

		Groups(Instant now, Function<TaskInfo, T> sample) {
			this.now = now;
			this.sample = sample;
		}

		boolean add(TaskInfo task) {
			if (!FailureKey.hasFailed(task)) {
				return true;
			}
			byte[] payload = task.payload();
			this.bytes += (payload != null) ? payload.length : 0;
			this.byKey.computeIfAbsent(FailureKey.of(task), (key) -> new Collected<>())
				.add(task, this.now, this.sample);
			return true;
		}

	}

	private static final class Collected<T> {

		private final Map<String, Long> queues = new TreeMap<>();

		private final Map<TaskState, Long> states = new EnumMap<>(TaskState.class);

		private final long[] trend = new long[STEPS];

		private final Map<Instant, T> samples = new LinkedHashMap<>();

		private long count;

		private @Nullable Instant first;

		private @Nullable Instant last;

		void add(TaskInfo task, Instant now, Function<TaskInfo, T> sample) {
			this.count++;
			this.queues.merge(task.queue(), 1L, Long::sum);
			this.states.merge(task.state(), 1L, Long::sum);
			Instant failed = task.lastFailedAt();
			if (failed != null) {
				long ago = Duration.between(failed, now).toMillis() / STEP.toMillis();
				if (ago >= 0 && ago < STEPS) {
					this.trend[STEPS - 1 - (int) ago]++;
				}
				Instant earliest = this.first;
				Instant latest = this.last;
				this.first = (earliest == null || failed.isBefore(earliest)) ? failed : earliest;
				this.last = (latest == null || failed.isAfter(latest)) ? failed : latest;
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
					Map.copyOf(this.queues), new EnumMap<>(this.states), this.first, this.last,
					new ArrayList<>(IntStream.range(0, STEPS).mapToObj((i) -> this.trend[i]).toList()), latestFirst);
		}

	}

}
