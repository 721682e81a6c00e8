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

class HeldTasksTests {

	private final AtomicInteger low = new AtomicInteger();

	private final HeldTasks held = new HeldTasks(new QueueWeights(Map.of("critical", 6, "default", 3, "low", 1), false),
			this.low::incrementAndGet);

	@Test
	void tasksLeaveInOrder() {
		this.held.add(tasks("a", "b"));
		this.held.add(tasks("c"));
		assertThat(this.held.size()).isEqualTo(3);
		assertThat(Stream.generate(this.held::next).limit(3)).extracting((task) -> task.message().id())
			.containsExactly("a", "b", "c");
		assertThat(this.held.next()).isNull();
		assertThat(this.held.since()).isNull();
	}

	/**
	 * They are taken queue by queue, heavier ones not first.
	 */
	@Test
	void tasksOfSeveralQueuesTakeTurnsByWeight() {
		this.held.add(tasks("low", 10));
		this.held.add(tasks("critical", 60));
		this.held.add(tasks("default", 30));
		for (int i = 0; i < 10; i++) {
			assertThat(queues(10)).as("ten tasks")
				.containsOnly(entry("critical", 6L), entry("default", 3L), entry("low", 1L));
		}
		assertThat(this.held.isEmpty()).isTrue();
	}

	@Test
	void queueThatComesLateNeedNotBeMadeUpFor() {
		this.held.add(tasks("default", 200));
		queues(100);
		this.held.add(tasks("critical", 100));
		assertThat(queues(90)).containsOnly(entry("critical", 60L), entry("default", 30L));
	}

	@Test
	void tellsSinceWhenTheOldestIsHeldThoughItIsNotNext() {
		this.held.add(tasks("low", 2));
		this.held.next();
		Long since = this.held.since();
		this.held.add(tasks("critical", 2));
		assertThat(this.held.all().get(0).message().queue()).isEqualTo("critical");
		assertThat(this.held.since()).isEqualTo(since);
	}

	/**
	 * Otherwise its tasks would wait for as many others as if the first were still there.
	 */
	@Test
	void queueWhoseTasksWereTakenOutKeepsItsTurn() {
		this.held.add(tasks("critical", 60));
		this.held.add(tasks("default", 60));
		this.held.takeIf((task) -> task.message().queue().equals("critical"));
		this.held.add(tasks("critical", 60));
		assertThat(queues(30)).containsOnly(entry("critical", 20L), entry("default", 10L));
	}

	@Test
	void strictPriorityKeepsTheOrderInWhichTasksWereTaken() {
		HeldTasks strict = new HeldTasks(new QueueWeights(Map.of("low", 1, "critical", 6), true), () -> {
		});
		strict.add(tasks("low", 2));
		strict.add(tasks("critical", 2));
		assertThat(strict.all()).extracting((task) -> task.message().queue())
			.containsExactly("low", "low", "critical", "critical");
	}

	@Test
	void tellsOnceWhenFewAreLeft() {
		this.held.add(tasks("a", "b", "c", "d"));
		this.held.awaitBelow(3);
		this.held.next();
		assertThat(this.low).hasValue(0);
		this.held.next();
		this.held.next();
		assertThat(this.low).hasValue(1);
	}

	@Test
	void nothingStartsWhileClosed() {
		this.held.add(tasks("a"));
		this.held.close();
		assertThat(this.held.anyMayStart()).isFalse();
		assertThat(this.held.next()).isNull();
		assertThat(this.held.size()).isOne();
		this.held.open();
		assertThat(this.held.next()).isNotNull();
	}

	@Test
	void takesOutWhatMeetsCondition() {
		this.held.add(tasks("a", "b", "c"));
		assertThat(this.held.takeIf((task) -> !task.message().id().equals("b")))
			.extracting((task) -> task.message().id())
			.containsExactly("a", "c");
		assertThat(this.held.all()).extracting((task) -> task.message().id()).containsExactly("b");
	}

	@Test
	void countsTasksOfAQueueUntilTheyStartOrAreToldToBeReturned() {
		this.held.add(tasks("default", 4));
		this.held.add(tasks("low", 1));
		assertThat(this.held.next().message().queue()).isEqualTo("default");
		assertThat(this.held.count("default")).isEqualTo(3);
		this.held.takeIf((task) -> task.message().queue().equals("default"));
		assertThat(this.held.count("default")).as("counted as fetched, until this is taken back").isEqualTo(3);
		assertThat(this.held.takeReturned()).containsOnly(entry("default", 3));
		assertThat(this.held.takeReturned()).isEmpty();
		assertThat(this.held.count("default")).isZero();
		assertThat(this.held.count("low")).isOne();
		assertThat(this.held.count("other")).isZero();
	}

	@Test
	void isFullOfLargePayloads() {
		for (int i = 0; i < 12; i++) {
			assertThat(this.held.isFull()).isFalse();
			this.held.add(List.of(task("default", "t" + i, new byte[1024 * 1024])));
		}
		assertThat(this.held.isFull()).isTrue();
		this.held.takeIf((task) -> true);
		assertThat(this.held.isFull()).isFalse();
	}

	/**
	 * Starts tasks and counts them by queue.
	 */
	private Map<String, Long> queues(int tasks) {
		return Stream.generate(this.held::next)
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
