package io.asynq.internal.worker;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.asynq.internal.redis.TaskMessage;
import io.asynq.server.QueueWeights;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

class PrefetchBufferTests {

	private final AtomicInteger low = new AtomicInteger();

	private final PrefetchBuffer buffer = new PrefetchBuffer(
			new QueueWeights(Map.of("critical", 6, "default", 3, "low", 1), false), this.low::incrementAndGet);

	@Test
	void tasksLeaveInOrder() {
		this.buffer.add(tasks("a", "b"));
		this.buffer.add(tasks("c"));
		assertThat(this.buffer.size()).isEqualTo(3);
		assertThat(Stream.generate(this.buffer::next).limit(3)).extracting((task) -> task.message().id())
			.containsExactly("a", "b", "c");
		assertThat(this.buffer.next()).isNull();
		assertThat(this.buffer.since()).isNull();
	}

	/**
	 * They are taken queue by queue, heavier ones not first.
	 */
	@Test
	void tasksOfSeveralQueuesTakeTurnsByWeight() {
		this.buffer.add(tasks("low", 10));
		this.buffer.add(tasks("critical", 60));
		this.buffer.add(tasks("default", 30));
		for (int i = 0; i < 10; i++) {
			assertThat(queues(10)).as("ten tasks")
				.containsOnly(entry("critical", 6L), entry("default", 3L), entry("low", 1L));
		}
		assertThat(this.buffer.isEmpty()).isTrue();
	}

	@Test
	void queueThatComesLateNeedNotBeMadeUpFor() {
		this.buffer.add(tasks("default", 200));
		queues(100);
		this.buffer.add(tasks("critical", 100));
		assertThat(queues(90)).containsOnly(entry("critical", 60L), entry("default", 30L));
	}

	@Test
	void tellsSinceWhenTheOldestIsHeldThoughItIsNotNext() {
		this.buffer.add(tasks("low", 2));
		this.buffer.next();
		Long since = this.buffer.since();
		this.buffer.add(tasks("critical", 2));
		assertThat(this.buffer.all().get(0).message().queue()).isEqualTo("critical");
		assertThat(this.buffer.since()).isEqualTo(since);
	}

	/**
	 * Otherwise its tasks would wait for as many others as if the first were still there.
	 */
	@Test
	void queueWhoseTasksWereTakenOutKeepsItsTurn() {
		this.buffer.add(tasks("critical", 60));
		this.buffer.add(tasks("default", 60));
		this.buffer.takeIf((task) -> task.message().queue().equals("critical"));
		this.buffer.add(tasks("critical", 60));
		assertThat(queues(30)).containsOnly(entry("critical", 20L), entry("default", 10L));
	}

	@Test
	void strictPriorityKeepsTheOrderInWhichTasksWereTaken() {
		PrefetchBuffer strict = new PrefetchBuffer(new QueueWeights(Map.of("low", 1, "critical", 6), true), () -> {
		});
		strict.add(tasks("low", 2));
		strict.add(tasks("critical", 2));
		assertThat(strict.all()).extracting((task) -> task.message().queue())
			.containsExactly("low", "low", "critical", "critical");
	}

	@Test
	void tellsOnceWhenFewAreLeft() {
		this.buffer.add(tasks("a", "b", "c", "d"));
		this.buffer.awaitBelow(3);
		this.buffer.next();
		assertThat(this.low).hasValue(0);
		this.buffer.next();
		this.buffer.next();
		assertThat(this.low).hasValue(1);
	}

	@Test
	void nothingStartsWhileClosed() {
		this.buffer.add(tasks("a"));
		this.buffer.close();
		assertThat(this.buffer.anyMayStart()).isFalse();
		assertThat(this.buffer.next()).isNull();
		assertThat(this.buffer.size()).isOne();
		this.buffer.open();
		assertThat(this.buffer.next()).isNotNull();
	}

	@Test
	void takesOutWhatMeetsCondition() {
		this.buffer.add(tasks("a", "b", "c"));
		assertThat(this.buffer.takeIf((task) -> !task.message().id().equals("b")))
			.extracting((task) -> task.message().id())
			.containsExactly("a", "c");
		assertThat(this.buffer.all()).extracting((task) -> task.message().id()).containsExactly("b");
	}

	@Test
	void countsTasksOfAQueueUntilTheyStartOrAreToldToBeReturned() {
		this.buffer.add(tasks("default", 4));
		this.buffer.add(tasks("low", 1));
		assertThat(this.buffer.next().message().queue()).isEqualTo("default");
		assertThat(this.buffer.count("default")).isEqualTo(3);
		this.buffer.takeIf((task) -> task.message().queue().equals("default"));
		assertThat(this.buffer.count("default")).as("counted as fetched, until this is taken back").isEqualTo(3);
		assertThat(this.buffer.takeReturned()).containsOnly(entry("default", 3));
		assertThat(this.buffer.takeReturned()).isEmpty();
		assertThat(this.buffer.count("default")).isZero();
		assertThat(this.buffer.count("low")).isOne();
		assertThat(this.buffer.count("other")).isZero();
	}

	@Test
	void isFullOfLargePayloads() {
		for (int i = 0; i < 12; i++) {
			assertThat(this.buffer.isFull()).isFalse();
			this.buffer.add(List.of(task("default", "t" + i, new byte[1024 * 1024])));
		}
		assertThat(this.buffer.isFull()).isTrue();
		this.buffer.takeIf((task) -> true);
		assertThat(this.buffer.isFull()).isFalse();
	}

	/**
	 * Starts tasks and counts them by queue.
	 */
	private Map<String, Long> queues(int tasks) {
		return Stream.generate(this.buffer::next)
			.limit(tasks)
			.collect(Collectors.groupingBy((task) -> task.message().queue(), Collectors.counting()));
	}

	private static List<LeasedTask> tasks(String queue, int count) {
		return IntStream.range(0, count).mapToObj((i) -> task(queue, "t" + i, null)).toList();
	}

	private static List<LeasedTask> tasks(String... ids) {
		return Stream.of(ids).map((id) -> task("default", id, null)).toList();
	}

	private static LeasedTask task(String queue, String id, byte[] payload) {
		TaskMessage message = TaskMessage.builder("type", id, queue).payload(payload).build();
		return new LeasedTask(message, new Lease(queue, id, "", Long.MAX_VALUE));
	}

}
