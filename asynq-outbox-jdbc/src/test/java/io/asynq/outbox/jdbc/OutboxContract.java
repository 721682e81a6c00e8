package io.asynq.outbox.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.asynq.AsynqException;
import io.asynq.DuplicateTaskException;
import io.asynq.EnqueueAttempt;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.event.TaskEvent;
import io.asynq.internal.enqueue.OutboxAnswer;
import io.asynq.internal.enqueue.OutboxStore;
import io.asynq.internal.enqueue.OutboxTask;
import io.asynq.test.RedisExtension;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisServerCommands;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionTemplate;

import static io.asynq.outbox.jdbc.OutboxFixture.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * What an outbox does on every database.
 */
@ExtendWith(RedisExtension.class)
@Timeout(120)
abstract class OutboxContract {

	private static final String MARKS = "asynqj:{default}:outbox";

	/** How long an argument of a command may be, in bytes, at least a megabyte. */
	private static final String LONGEST = "proto-max-bulk-len";

	private final OutboxFixture outbox;

	OutboxContract(RedisConnectionFactory factory, DataSource source) {
		this.outbox = new OutboxFixture(factory, source);
	}

	@AfterEach
	void close() {
		this.outbox.close();
	}

	@Test
	void committedTasksAreSentInTheirOrderAndTheirRowsDeleted() {
		this.outbox.transaction().executeWithoutResult((status) -> {
			this.outbox.jdbc.update("INSERT INTO orders VALUES (1)");
			assertThat(this.outbox.client.enqueue(Task.of("mail", "{}"), id("t1")).state())
				.isEqualTo(TaskState.DEFERRED);
			assertThat(this.outbox.client.enqueueAll(List.of(task("t2"), Task.of(" ", ""), task("t3"))))
				.extracting(EnqueueAttempt::enqueued)
				.containsExactly(true, false, true);
			assertThat(this.outbox.commits).isEmpty();
		});
		assertThat(this.outbox.commits).hasSize(1);
		assertThat(this.outbox.waiting()).containsExactly("t1", "t2", "t3");
		assertThat(this.outbox.state.pending(QUEUE)).isEmpty();
		this.outbox.relay();
		this.outbox.state.assertPending(QUEUE, "t1", "t2", "t3");
		assertThat(this.outbox.waiting()).isEmpty();
		assertThat(this.outbox.counters.allSent()).isEqualTo(3);
		await().untilAsserted(
				() -> assertThat(this.outbox.heard).hasSize(3).hasOnlyElementsOfType(TaskEvent.Enqueued.class));
	}

	@Test
	void rolledBackTasksWereNeverThere() {
		assertThatIllegalStateException().isThrownBy(() -> this.outbox.transaction().executeWithoutResult((status) -> {
			this.outbox.enqueue("t1");
			throw new IllegalStateException("the user's");
		}));
		this.outbox.transaction().executeWithoutResult((status) -> {
			this.outbox.enqueue("t2");
			Object savepoint = status.createSavepoint();
			this.outbox.enqueue("t3");
			status.rollbackToSavepoint(savepoint);
			this.outbox.enqueue("t4");
		});
		this.outbox.relay();
		this.outbox.state.assertPending(QUEUE, "t2", "t4");
	}

	@Test
	void suspendedTransactionKeepsItsOwnTasks() {
		this.outbox.transaction().executeWithoutResult((outer) -> {
			this.outbox.enqueue("t1");
			this.outbox.transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
				.executeWithoutResult((inner) -> this.outbox.enqueue("t2"));
			this.outbox.relay();
			this.outbox.state.assertPending(QUEUE, "t2");
			this.outbox.enqueue("t3");
			outer.setRollbackOnly();
		});
		this.outbox.relay();
		this.outbox.state.assertPending(QUEUE, "t2");
	}

	@Test
	void withoutTransactionTaskIsSentAtOnce() {
		assertThat(this.outbox.client.enqueue(Task.of("mail", "{}"), id("t1")).state()).isEqualTo(TaskState.PENDING);
		assertThat(this.outbox.waiting()).isEmpty();
	}

	@Test
	void transactionOfAnotherResourceIsRefused() {
		OtherTransactions manager = new OtherTransactions();
		TransactionOwner.watch("others", manager);
		TransactionTemplate other = new TransactionTemplate(manager);
		other.executeWithoutResult(
				(status) -> assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.outbox.enqueue("t1"))
					.withMessageStartingWith("Task t1 (mail) in queue default")
					.withMessageContaining("'others' is not one of the outbox's data source"));
		assertThat(this.outbox.waiting()).isEmpty();
	}

	@Test
	void rowThatIsSentAgainIsNotEnqueuedAgainThoughItsTaskIsDone() {
		this.outbox.commit("t1");
		assertThatIllegalStateException()
			.isThrownBy(() -> this.outbox.relay(256, beforeCommit(this.outbox.readCommitted(), (status) -> {
				throw new IllegalStateException("the JVM dies here");
			})));
		this.outbox.state.assertPending(QUEUE, "t1");
		assertThat(this.outbox.waiting()).containsExactly("t1");
		finish("t1");
		this.outbox.relay();
		assertThat(this.outbox.waiting()).isEmpty();
		this.outbox.state.assertPending(QUEUE);
		assertThat(this.outbox.counters.allSent()).isEqualTo(1);
	}

	@Test
	void laterTaskOfSameIdIsSentThoughTheFirstStillHasItsMark() {
		this.outbox.commit("t1");
		this.outbox.relay();
		finish("t1");
		this.outbox.commit("t1");
		this.outbox.relay();
		this.outbox.state.assertPending(QUEUE, "t1");
	}

	@Test
	void manyTasksOfOneTransactionKeepTheirOrderOverBatches() {
		String[] ids = IntStream.range(0, 600).mapToObj((i) -> "t" + i).toArray(String[]::new);
		this.outbox.transaction()
			.executeWithoutResult((status) -> this.outbox.client
				.enqueueAll(IntStream.range(0, 600).mapToObj((i) -> task("t" + i)).toList()));
		while (this.outbox.relay(100, this.outbox.readCommitted()).mayHaveMore()) {
			assertThat(this.outbox.waiting().size() % 100).isZero();
		}
		assertThat(this.outbox.state.pending(QUEUE)).containsExactly(ids);
	}

	@Test
	void relaysShareRowsButKeepTheOrderOfEachTransaction() {
		assertThat(this.outbox.table.skipsLocked()).isTrue();
		this.outbox.commit("a1", "a2", "a3");
		this.outbox.commit("b1");
		this.outbox.readCommitted().executeWithoutResult((first) -> {
			List<OutboxRow> held = this.outbox.table.lock(this.outbox.table.waiting(QUEUE, 2));
			assertThat(held).extracting((row) -> row.task().id()).containsExactly("a1", "a2");
			this.outbox.relay();
			// a3 must wait for those that are held
			this.outbox.state.assertPending(QUEUE, "b1");
		});
		this.outbox.relay();
		this.outbox.state.assertPending(QUEUE, "b1", "a1", "a2", "a3");
	}

	@Test
	void relaysTakeABatchEachOfALongQueue() {
		this.outbox.commit("a1", "a2");
		this.outbox.commit("b1", "b2");
		this.outbox.commit("c1");
		this.outbox.readCommitted().executeWithoutResult((first) -> {
			assertThat(this.outbox.table.lock(this.outbox.table.waiting(QUEUE, 2))).hasSize(2);
			this.outbox.relay(2, this.outbox.readCommitted());
			this.outbox.state.assertPending(QUEUE, "b1", "b2");
		});
		assertThat(this.outbox.waiting()).containsExactly("a1", "a2", "c1");
	}

	@Test
	void eachQueueIsFoundAndHasItsOwnRows() {
		List<String> queues = List.of("Up", "down", "o'hara", "o\\hara", "über", "日本");
		this.outbox.transaction().executeWithoutResult((status) -> {
			for (String queue : queues) {
				for (String id : List.of("1", "2")) {
					this.outbox.client.enqueue(Task.of("mail", "{}"),
							TaskOptions.of((o) -> o.queue(queue).taskId(queue + id)));
				}
			}
		});
		assertThat(this.outbox.table.queues()).containsExactlyInAnyOrderElementsOf(queues);
		this.outbox.readCommitted().executeWithoutResult((status) -> assertThat(queues).allSatisfy((queue) -> {
			assertThat(this.outbox.table.lock(this.outbox.table.waiting(queue, 10)))
				.extracting((row) -> row.task().id())
				.containsExactly(queue + "1", queue + "2");
		}));
	}

	@Test
	void rowThatWasSetAsideIsTriedAgainAfterAnHourAndNoSooner() {
		this.outbox.commit("t1", "t2", "t3");
		this.outbox.jdbc.update("UPDATE asynq_outbox SET set_aside_at = ?, reason = 'full'",
				this.outbox.clock.millis());
		this.outbox.jdbc.update("UPDATE asynq_outbox SET created_at = created_at - ? WHERE task_id = 't2'",
				OutboxStore.MAX_AGE.toMillis());
		this.outbox.jdbc.update("UPDATE asynq_outbox SET message = ? WHERE task_id = 't3'", "spoilt".getBytes());
		this.outbox.clock.advance(RelayRound.REST.minusMillis(1));
		assertThat(this.outbox.again()).isEmpty();
		this.outbox.clock.advance(Duration.ofMillis(1));
		assertThat(this.outbox.again()).containsExactly(QUEUE);
		this.outbox.state.assertPending(QUEUE, "t1");
		assertThat(this.outbox.setAside()).containsExactly("t2", "t3");
		assertThat(this.outbox.reason("t2")).isEqualTo("full");
		assertThat(this.outbox.reason("t3")).contains("cannot be decoded");
		assertThat(this.outbox.again()).isEmpty();
		await().untilAsserted(
				() -> assertThat(this.outbox.heard).hasSize(1).hasOnlyElementsOfType(TaskEvent.Enqueued.class));
	}

	@Test
	void refusedRowIsSetAsideWithItsReasonAndOthersGoOn() {
		this.outbox.state.redis().opsForValue().set("asynq:{bad}:pending", "no list");
		this.outbox.transaction().executeWithoutResult((status) -> {
			this.outbox.client.enqueue(Task.of("mail", "{}"), TaskOptions.of((o) -> o.taskId("t1").queue("bad")));
			this.outbox.enqueue("t2");
		});
		this.outbox.relay();
		this.outbox.state.assertPending(QUEUE, "t2");
		assertThat(this.outbox.setAside()).containsExactly("t1");
		assertThat(this.outbox.reason("t1")).contains("one of the queue's keys in Redis has the wrong type");
		assertThat(this.outbox.table.numbers()).isEqualTo(new OutboxNumbers(0, 1, null));
		await()
			.untilAsserted(() -> assertThat(this.outbox.heard).hasAtLeastOneElementOfType(TaskEvent.NotEnqueued.class));
	}

	@Test
	void spoiltRowIsFoundAndSetAside() {
		this.outbox.commit("t1", "t2", "t3");
		this.outbox.jdbc.update("UPDATE asynq_outbox SET message = ? WHERE task_id = 't2'", "spoilt".getBytes());
		this.outbox.relay();
		this.outbox.relay();
		this.outbox.state.assertPending(QUEUE, "t1", "t3");
		assertThat(this.outbox.reason("t2")).contains("cannot be decoded");
	}

	@Test
	void rowThatIsTooLargeForRedisIsSetAsideAndOthersGoOn() {
		RedisServerCommands redis = this.outbox.state.redis()
			.getRequiredConnectionFactory()
			.getConnection()
			.serverCommands();
		String before = redis.getConfig(LONGEST).getProperty(LONGEST);
		redis.setConfig(LONGEST, "1048576");
		try {
			this.outbox.transaction()
				.executeWithoutResult(
						(status) -> this.outbox.client.enqueueAll(List.of(task("t1"), large("t2"), task("t3"))));
			// All together, then one by one, of which the large one is tried three times
			for (int i = 0; i < 4; i++) {
				this.outbox.relay();
			}
			this.outbox.state.assertPending(QUEUE, "t1", "t3");
			assertThat(this.outbox.waiting()).isEmpty();
			assertThat(this.outbox.setAside()).containsExactly("t2");
			assertThat(this.outbox.reason("t2")).isNotBlank();
		}
		finally {
			redis.setConfig(LONGEST, before);
		}
	}

	@Test
	void rowOlderThanItsMarkWouldBeIsSetAside() {
		this.outbox.commit("t1");
		this.outbox.clock.advance(OutboxStore.MAX_AGE.plusMillis(1));
		this.outbox.commit("t2");
		this.outbox.relay();
		this.outbox.state.assertPending(QUEUE, "t2");
		assertThat(this.outbox.reason("t1")).startsWith("It is older than 7 days");
	}

	@Test
	void duplicateIsToldAndItsRowDeleted() {
		this.outbox.transaction().executeWithoutResult((status) -> {
			for (String id : List.of("t1", "t2")) {
				this.outbox.client.enqueue(Task.of("mail", "{}"),
						TaskOptions.of((o) -> o.taskId(id).unique(Duration.ofHours(1))));
			}
		});
		this.outbox.relay();
		this.outbox.state.assertPending(QUEUE, "t1");
		assertThat(this.outbox.waiting()).isEmpty();
		await().untilAsserted(() -> assertThat(this.outbox.heard).filteredOn(TaskEvent.NotEnqueued.class::isInstance)
			.singleElement()
			.satisfies((event) -> assertThat(((TaskEvent.NotEnqueued) event).error())
				.isInstanceOf(DuplicateTaskException.class)));
	}

	@Test
	void relayThatHasLostItsLocksSendsNothingWhenMarksAreGone() {
		this.outbox.commit("t1");
		Instant begun = this.outbox.store.begin(QUEUE, List.of()).time();
		List<OutboxRow> stale = this.outbox.readCommitted()
			.execute((status) -> this.outbox.table.lock(this.outbox.table.waiting(QUEUE, 1)));
		SentMarks marks = new SentMarks(this.outbox.store, System::nanoTime);
		marks.add(QUEUE, this.outbox.relay().answered());
		finish("t1");
		assertThat(marks.due()).containsExactly(QUEUE);
		marks.begin(QUEUE);
		assertThat(marks.due()).isEmpty();
		List<OutboxTask> tasks = stale.stream().map(OutboxRow::task).toList();
		Instant until = begun.plus(OutboxStore.SENDING_TIME);
		assertThat(this.outbox.store.send(QUEUE, tasks, until)).extracting(OutboxAnswer::kind)
			.containsExactly(OutboxAnswer.Kind.REPEATED);
		this.outbox.clock.advance(OutboxStore.SENDING_TIME.multipliedBy(2));
		marks.begin(QUEUE);
		assertThat(this.outbox.state.exists(MARKS)).isFalse();
		assertThat(this.outbox.store.send(QUEUE, tasks, until)).isEmpty();
		this.outbox.state.assertPending(QUEUE);
	}

	@Test
	void marksOfAQueueThatIsIdleAreSeenToUntilTheyHaveEnded() {
		AtomicLong nanos = new AtomicLong();
		SentMarks marks = new SentMarks(this.outbox.store, nanos::get);
		this.outbox.commit("t1", "t2");
		marks.add(QUEUE, this.outbox.relay().answered());
		marks.begin(QUEUE);
		assertThat(this.outbox.state.redis().opsForZSet().size(MARKS)).isEqualTo(2);
		this.outbox.clock.advance(OutboxStore.SENDING_TIME.multipliedBy(2));
		assertThat(marks.due()).isEmpty();
		nanos.addAndGet(Duration.ofSeconds(11).toNanos());
		assertThat(marks.due()).containsExactly(QUEUE);
		marks.begin(QUEUE);
		nanos.addAndGet(Duration.ofSeconds(11).toNanos());
		assertThat(marks.due()).isEmpty();
		assertThat(this.outbox.state.exists(MARKS)).isFalse();
	}

	@Test
	void relaySendsWhatOthersHaveLeftBehind() {
		this.outbox.commit("t1");
		DatabaseRelay relay = this.outbox.startRelay();
		try {
			await().untilAsserted(() -> assertThat(this.outbox.state.pending(QUEUE)).containsExactly("t1"));
			this.outbox.commit("t2");
			relay.wake();
			await().untilAsserted(() -> assertThat(this.outbox.waiting()).isEmpty());
			this.outbox.state.assertPending(QUEUE, "t1", "t2");
			await().untilAsserted(() -> assertThat(this.outbox.counters.numbers()).isNotNull());
		}
		finally {
			relay.stop();
		}
	}

	@Test
	void taskThatCannotBeWrittenFailsTheCallAndNoneOfItsBatchIsWritten() {
		this.outbox.jdbc.execute("ALTER TABLE asynq_outbox ADD CONSTRAINT no_t2 CHECK (task_type <> 'refused')");
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> this.outbox.transaction()
				.executeWithoutResult(
						(status) -> this.outbox.client.enqueueAll(List.of(task("t1"), Task.of("refused", "{}")))))
			.withMessageContaining("could not be written to the outbox");
		this.outbox.transaction().executeWithoutResult((status) -> {
			assertThatExceptionOfType(AsynqException.class)
				.isThrownBy(() -> this.outbox.client.enqueueAll(List.of(task("t1"), Task.of("refused", "{}"))));
			this.outbox.enqueue("t3");
		});
		assertThat(this.outbox.waiting()).containsExactly("t3");
	}

	/** Does to Redis what the end of a task does. */
	private void finish(String id) {
		this.outbox.state.redis().delete(List.of("asynq:{default}:t:" + id, "asynq:{default}:pending"));
	}

	private static Task task(String id) {
		return Task.of("mail", "{}").withOptions(id(id));
	}

	/** More than Redis has room for in an argument, once it was told so. */
	private static Task large(String id) {
		return Task.of("mail", new byte[2 * 1024 * 1024]).withOptions(id(id));
	}

	private static TaskOptions id(String id) {
		return TaskOptions.of((o) -> o.taskId(id));
	}

	private static TransactionOperations beforeCommit(TransactionTemplate template, Consumer<TransactionStatus> last) {
		return new TransactionOperations() {

			@Override
			public <T extends @Nullable Object> T execute(TransactionCallback<T> action) {
				return template.execute((status) -> {
					T result = action.doInTransaction(status);
					last.accept(status);
					return result;
				});
			}

		};
	}

}
