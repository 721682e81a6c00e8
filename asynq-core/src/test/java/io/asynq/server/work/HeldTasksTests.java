package io.asynq.server.work;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.asynq.broker.message.Lease;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.TaskMessage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HeldTasksTests {

	private final AtomicInteger low = new AtomicInteger();

	private final HeldTasks held = new HeldTasks(this.low::incrementAndGet);

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
		assertThat(this.held.holds("default", "b")).isTrue();
		assertThat(this.held.holds("default", "a")).isFalse();
		assertThat(this.held.holds("other", "b")).isFalse();
	}

	@Test
	void isFullOfLargePayloads() {
		for (int i = 0; i < 12; i++) {
			assertThat(this.held.isFull()).isFalse();
			this.held.add(List.of(task("t" + i, new byte[1024 * 1024])));
		}
		assertThat(this.held.isFull()).isTrue();
		this.held.takeIf((task) -> true);
		assertThat(this.held.isFull()).isFalse();
	}

	private static List<LeasedTask> tasks(String... ids) {
		return Stream.of(ids).map((id) -> task(id, null)).toList();
	}

	private static LeasedTask task(String id, byte[] payload) {
		TaskMessage message = TaskMessage.builder("type", id, "default").payload(payload).build();
		return new LeasedTask(message, new Lease("default", id, "", Long.MAX_VALUE));
	}

}
