package io.asynq.outbox.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import io.asynq.BrokerException;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.internal.enqueue.OutboxTask;
import io.asynq.internal.text.LogCapture;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static io.asynq.outbox.jdbc.OutboxFixture.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A relay goes on, whatever some of its queues and rows do. The time that calls take is
 * that of a clock that nobody waits for.
 */
@ExtendWith(RedisExtension.class)
@Timeout(120)
class OutboxRelayIT {

	private final OutboxFixture outbox;

	private DatabaseRelay relay;

	OutboxRelayIT(RedisConnectionFactory factory) {
		this.outbox = new OutboxFixture(factory, H2OutboxIT.source());
	}

	@AfterEach
	void close() {
		if (this.relay != null) {
			this.relay.stop();
		}
		this.outbox.close();
	}

	@ParameterizedTest
	@CsvSource({ "256, 25", "20, 1000", "3, 60000" })
	void eachQueueHasItsOwnTimeHoweverManyThereAre(int queues, long millisPerCall) {
		IntStream.range(0, queues).forEach((i) -> commit("q" + i, "t"));
		this.outbox.store.before = (queue, tasks) -> this.outbox.clock.advance(Duration.ofMillis(millisPerCall));
		this.relay = this.outbox.startRelay();
		await().untilAsserted(() -> assertThat(this.outbox.waiting()).isEmpty());
		IntStream.range(0, queues).forEach((i) -> this.outbox.state.assertPending("q" + i, "t"));
	}

	/** Such as one of 6 MB at 1 MB per second. */
	@ParameterizedTest
	@ValueSource(longs = { 6, 30, 100 })
	void rowThatTakesLongIsSent(long seconds) {
		this.outbox.commit("t1", "slow", "t2");
		this.outbox.store.before = (queue, tasks) -> takes(Duration.ofSeconds(seconds), tasks);
		this.relay = this.outbox.startRelay();
		await().untilAsserted(() -> assertThat(this.outbox.waiting()).isEmpty());
		this.outbox.state.assertPending(QUEUE, "t1", "slow", "t2");
	}

	@Test
	void rowThatTakesForEverIsToldAndSetAsideAndOthersGoOn() {
		this.outbox.commit("t1", "slow", "t2");
		commit("other", "t3");
		this.outbox.store.before = (queue, tasks) -> takes(Duration.ofHours(1), tasks);
		try (LogCapture log = LogCapture.of(Troubles.class, Level.WARN)) {
			this.relay = this.outbox.startRelay();
			await().untilAsserted(() -> assertThat(this.outbox.setAside()).containsExactly("slow"));
			await().untilAsserted(() -> assertThat(this.outbox.waiting()).isEmpty());
			assertThat(log.lines(Level.WARN)).hasSize(1);
		}
		assertThat(this.outbox.reason("slow")).contains("too late");
		this.outbox.state.assertPending(QUEUE, "t1", "t2");
		this.outbox.state.assertPending("other", "t3");
	}

	/** Thirty queues that all lie on a master that hangs, and one that does not. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 30 })
	void queuesOfAMasterThatHangsHoldUpNoOther(int hung) {
		IntStream.range(0, hung).forEach((i) -> commit("hung" + i, "t"));
		commit("healthy", "t1");
		CountDownLatch end = new CountDownLatch(1);
		this.outbox.store.before = (queue, tasks) -> hangs(queue, end);
		try {
			this.relay = this.outbox.startRelay((queue) -> queue.startsWith("hung") ? "hung" : "healthy");
			await().untilAsserted(() -> assertThat(this.outbox.state.pending("healthy")).containsExactly("t1"));
			commit("healthy", "t2");
			this.relay.wake();
			await().untilAsserted(() -> assertThat(this.outbox.state.pending("healthy")).containsExactly("t1", "t2"));
		}
		finally {
			end.countDown();
		}
		await().untilAsserted(() -> assertThat(this.outbox.waiting()).isEmpty());
	}

	@ParameterizedTest
	@CsvSource({ "1, 3000", "300, 10" })
	void queuesThatFailDoNotSlowOthers(int failing, int rows) {
		IntStream.range(0, failing)
			.forEach((i) -> commit("failing" + i,
					IntStream.range(0, rows).mapToObj((j) -> "t" + j).toArray(String[]::new)));
		commit("good", "t1");
		this.outbox.store.before = (queue, tasks) -> {
			if (queue.startsWith("failing")) {
				throw new BrokerException("OOM command not allowed", null);
			}
		};
		this.relay = this.outbox.startRelay();
		await().untilAsserted(() -> assertThat(this.outbox.state.pending("good")).containsExactly("t1"));
	}

	private void hangs(String queue, CountDownLatch end) {
		if (queue.startsWith("hung")) {
			try {
				end.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void takes(Duration time, List<OutboxTask> tasks) {
		if (tasks.stream().anyMatch((task) -> task.id().equals("slow"))) {
			this.outbox.clock.advance(time);
		}
	}

	private void commit(String queue, String... ids) {
		this.outbox.transaction()
			.executeWithoutResult((status) -> this.outbox.client.enqueueAll(List.of(ids)
				.stream()
				.map((id) -> Task.of("mail", "{}").withOptions(TaskOptions.of((o) -> o.queue(queue).taskId(id))))
				.toList()));
	}

}
