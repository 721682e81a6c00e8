package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.asynq.BrokerException;
import io.asynq.DuplicateTaskException;
import io.asynq.TaskIdConflictException;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.OutboxAnswer;
import io.asynq.internal.enqueue.OutboxAnswer.Kind;
import io.asynq.internal.enqueue.OutboxStore;
import io.asynq.internal.enqueue.OutboxTask;
import io.asynq.internal.enqueue.Placement;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How tasks of an outbox are stored once, however often they are sent.
 */
@OnDrivers
class OutboxStoreContract extends BrokerContract {

	private static final String MARKS = "asynqj:{default}:outbox";

	private final OutboxStore outbox = this.broker.outbox();

	OutboxStoreContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void tasksAreStoredInTheirOrderWithMarks() {
		assertThat(send(pending("t1", "m1"), pending("t2", "m2"))).containsExactly(Kind.STORED, Kind.STORED);
		this.state.assertPending(QUEUE, "t1", "t2");
		assertThat(marks()).isEqualTo(Map.of("m1", nowSeconds(), "m2", nowSeconds()));
		assertThat(this.state.redis().opsForSet().members("asynq:queues")).containsExactly(QUEUE);
		assertThat(this.state.fields(QUEUE, "t1")).containsEntry("pending_since", nowSeconds() + "123456789");
	}

	@Test
	void taskThatIsSentAgainIsNotStoredAgainThoughItIsDone() {
		send(pending("t1", "m1"));
		this.state.redis().delete(List.of("asynq:{default}:t:t1", "asynq:{default}:pending"));
		assertThat(send(pending("t1", "m1"), pending("t2", "m2"))).containsExactly(Kind.REPEATED, Kind.STORED);
		this.state.assertPending(QUEUE, "t2");
	}

	@Test
	void laterTaskOfSameIdIsAnotherTask() {
		send(pending("t1", "m1"));
		this.state.redis().delete(List.of("asynq:{default}:t:t1", "asynq:{default}:pending"));
		assertThat(send(pending("t1", "m2"))).containsExactly(Kind.STORED);
		this.state.assertPending(QUEUE, "t1");
	}

	@Test
	void takenIdAndHeldLockAreFinal() {
		this.state.seedArchived(this.clock.instant(), RedisState.message(QUEUE, "t1").build());
		EnqueueRequest unique = new EnqueueRequest(RedisState.message(QUEUE, "t2").build(), new Placement.Pending(),
				Duration.ofHours(1));
		String lock = Keys.of(QUEUE).unique("email:send", utf8("{\"user_id\":42}"));
		this.state.seedLock(lock, "other");
		List<OutboxTask> tasks = List.of(pending("t1", "m1"), this.outbox.pack(unique, "m2"));
		List<OutboxAnswer> answers = this.outbox.send(QUEUE, tasks, soon());
		assertThat(answers).extracting(OutboxAnswer::kind).containsOnly(Kind.DUPLICATE);
		assertThat(answers.get(0).error()).isInstanceOf(TaskIdConflictException.class);
		assertThat(answers.get(1).error()).isInstanceOf(DuplicateTaskException.class);
		this.state.redis().delete(lock);
		assertThat(this.outbox.send(QUEUE, tasks, soon())).extracting(OutboxAnswer::kind).containsOnly(Kind.REPEATED);
		this.state.assertPending(QUEUE);
	}

	@Test
	void refusedTaskHasNoMarkAndHarmsNoOther() {
		this.state.redis().opsForValue().set("asynq:{default}:scheduled", "wrong");
		EnqueueRequest later = new EnqueueRequest(RedisState.message(QUEUE, "t1").build(),
				new Placement.Scheduled(this.clock.instant().plusSeconds(60)), null);
		List<OutboxAnswer> answers = this.outbox.send(QUEUE,
				List.of(this.outbox.pack(later, "m1"), pending("t2", "m2")), soon());
		assertThat(answers).extracting(OutboxAnswer::kind).containsExactly(Kind.REFUSED, Kind.STORED);
		assertThat(answers.get(0).error()).hasMessageContaining("wrong type");
		assertThat(marks()).containsOnlyKeys("m2");
	}

	@Test
	void everyKindOfTaskIsStoredAsWithoutOutbox() {
		Instant later = this.clock.instant().plusSeconds(60);
		TaskMessage grouped = RedisState.message(QUEUE, "t2").group("g").headers(Map.of("k", "v")).build();
		EnqueueRequest unique = new EnqueueRequest(RedisState.message(QUEUE, "t3").payload(new byte[0]).build(),
				new Placement.Pending(), Duration.ofHours(1));
		send(this.outbox.pack(
				new EnqueueRequest(RedisState.message(QUEUE, "t1").build(), new Placement.Scheduled(later), null),
				"m1"), this.outbox.pack(new EnqueueRequest(grouped, new Placement.Grouped(), null), "m2"),
				this.outbox.pack(unique, "m3"));
		this.state.assertScheduled(QUEUE, "t1");
		assertThat(this.state.scores(QUEUE, "scheduled")).containsEntry("t1", later.getEpochSecond());
		this.state.assertGrouped(QUEUE, "g", "t2");
		assertThat(this.state.stored(QUEUE, "t2").headers()).isEqualTo(Map.of("k", "v"));
		// That of an empty payload, not that of none
		String lock = Keys.of(QUEUE).unique("email:send", new byte[0]);
		assertThat(this.state.redis().opsForValue().get(lock)).isEqualTo("t3");
		assertThat(this.state.redis().getExpire(lock)).isBetween(3590L, 3600L);
	}

	@Test
	void archivedTaskIsReplacedAndLockMayBeNamedByKey() {
		this.state.seedArchived(this.clock.instant(), RedisState.message(QUEUE, "t1").build());
		EnqueueRequest replacing = new EnqueueRequest(RedisState.message(QUEUE, "t1").build(), new Placement.Pending(),
				Duration.ofHours(1), "invoice-42", true);
		assertThat(send(this.outbox.pack(replacing, "m1"))).containsExactly(Kind.STORED);
		this.state.assertPending(QUEUE, "t1");
		this.state.assertArchived(QUEUE);
		String lock = Keys.of(QUEUE).uniqueByKey("email:send", "invoice-42");
		assertThat(this.state.redis().opsForValue().get(lock)).isEqualTo("t1");
	}

	@Test
	void whatComesTooLateIsRefusedAsAWhole() {
		Instant until = now();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(this.outbox.send(QUEUE, List.of(pending("t1", "m1")), until)).isEmpty();
		this.state.assertPending(QUEUE);
		assertThat(this.state.exists(MARKS)).isFalse();
	}

	@Test
	void timeIsThatOfRedisInMicroseconds() {
		assertThat(now()).isEqualTo(Instant.parse("2096-03-04T23:59:50.123456Z"));
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@Test
	void marksThatAreToEndStayForAsLongAsOneWhoHasLostTheirTasksMaySendThem() {
		send(pending("t1", "m1"), pending("t2", "m2"));
		assertThat(this.outbox.begin(QUEUE, List.of("m1", "unknown")).marksEnd()).isTrue();
		assertThat(marks()).containsOnlyKeys("m1", "m2");
		Instant until = now().plus(OutboxStore.SENDING_TIME);
		this.clock.advance(OutboxStore.SENDING_TIME.multipliedBy(2).minusSeconds(1));
		assertThat(send(pending("t1", "m1"))).containsExactly(Kind.REPEATED);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.outbox.begin(QUEUE, List.of()).marksEnd()).isFalse();
		assertThat(marks()).containsOnlyKeys("m2");
		assertThat(this.outbox.send(QUEUE, List.of(pending("t1", "m1")), until)).isEmpty();
	}

	@Test
	void manyMarksEndALittleAtATime() {
		for (int i = 0; i < 5000; i += 250) {
			int first = i;
			send(IntStream.range(first, first + 250)
				.mapToObj((n) -> pending("t" + n, "m" + n))
				.toArray(OutboxTask[]::new));
			this.outbox.begin(QUEUE, IntStream.range(first, first + 250).mapToObj((n) -> "m" + n).toList());
		}
		this.clock.advance(OutboxStore.SENDING_TIME.multipliedBy(2));
		assertThat(this.outbox.begin(QUEUE, List.of()).marksEnd()).isTrue();
		assertThat(marks()).hasSize(1000);
		assertThat(this.outbox.begin(QUEUE, List.of()).marksEnd()).isFalse();
		assertThat(this.state.exists(MARKS)).isFalse();
	}

	@Test
	void marksEndThoughRedisIsFullAndNothingIsStored() {
		send(pending("t1", "m1"), pending("t2", "m2"));
		this.outbox.begin(QUEUE, List.of("m1"));
		this.clock.advance(OutboxStore.SENDING_TIME.multipliedBy(2));
		maxMemory("1");
		try {
			assertThat(this.outbox.begin(QUEUE, List.of("m2")).marksEnd()).isTrue();
			assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> send(pending("t3", "m3")))
				.withMessageContaining("maxmemory");
		}
		finally {
			maxMemory("0");
		}
		assertThat(marks()).containsOnlyKeys("m2");
		this.state.assertPending(QUEUE, "t1", "t2");
	}

	@Test
	void marksOutliveTheOldestTaskThatMayBeSentAndThenEnd() {
		send(pending("t1", "m1"));
		this.clock.advance(OutboxStore.MAX_AGE);
		assertThat(send(pending("t1", "m1"))).containsExactly(Kind.REPEATED);
		assertThat(this.state.redis().getExpire(MARKS)).isGreaterThan(OutboxStore.MAX_AGE.toSeconds());
		this.clock.advance(Duration.ofHours(2));
		send(pending("t2", "m2"));
		assertThat(marks()).containsOnlyKeys("m2");
	}

	@Test
	void marksOfWrongTypeAreNamedBeforeAnythingIsStored() {
		this.state.redis().opsForValue().set(MARKS, "wrong");
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> send(pending("t1", "m1")))
			.withMessageContaining(MARKS);
		this.state.assertPending(QUEUE);
	}

	@Test
	void messageThatCannotBeDecodedIsNamed() {
		OutboxTask spoilt = new OutboxTask("m1", QUEUE, "t1", "email:send", utf8("no message"), null, null, false);
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> this.outbox.unpack(spoilt))
			.withMessageContaining("task 't1' in queue 'default'");
	}

	private List<Kind> send(OutboxTask... tasks) {
		return this.outbox.send(QUEUE, List.of(tasks), soon()).stream().map(OutboxAnswer::kind).toList();
	}

	private void maxMemory(String bytes) {
		this.state.redis().execute((connection) -> {
			connection.serverCommands().setConfig("maxmemory", bytes);
			return null;
		}, true);
	}

	private Instant now() {
		return this.outbox.begin(QUEUE, List.of()).time();
	}

	private Instant soon() {
		return now().plusSeconds(5);
	}

	private OutboxTask pending(String id, String mark) {
		return this.outbox
			.pack(new EnqueueRequest(RedisState.message(QUEUE, id).build(), new Placement.Pending(), null), mark);
	}

	private Map<String, Long> marks() {
		return this.state.sorted(MARKS);
	}

}
