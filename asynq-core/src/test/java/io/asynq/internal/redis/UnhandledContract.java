package io.asynq.internal.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.lane.WorkFinder;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import io.asynq.internal.worker.OutcomeResult.Status;
import io.asynq.internal.worker.ServedTypes;
import io.asynq.internal.worker.UnhandledStore;
import io.asynq.internal.worker.UnhandledStore.Waiting;
import io.asynq.server.QueueWeights;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tasks that wait for a handler, in Redis.
 */
@OnDrivers
class UnhandledContract extends BrokerContract {

	private static final String TYPE = "email:send";

	private static final Duration MAX_AGE = Duration.ofDays(7);

	private final UnhandledStore store = this.broker.unhandled();

	UnhandledContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void listsTypesAndHowManyTasksWait() {
		park("a", "b");
		park(TaskMessage.builder("sms: \"\n*", "c", QUEUE).timeoutSeconds(60).build());
		assertThat(this.store.waiting(QUEUE)).containsExactlyInAnyOrder(new Waiting(TYPE, 2, 0),
				new Waiting("sms: \"\n*", 1, 0));
		assertThat(this.broker.work().find(WorkFinder.Kind.UNHANDLED, List.of(QUEUE)).isDue(QUEUE)).isTrue();
		this.state.assertRetry(QUEUE, "a", "b", "c");
	}

	@Test
	void tasksThatArePutOffAreNotDueForAMinute() {
		park(IntStream.range(0, 2500).mapToObj((i) -> "t" + i).toArray(String[]::new));
		putOff();
		assertThat(this.state.scores(QUEUE, "retry").values()).hasSize(2500).containsOnly(nowSeconds() + 60);
		assertThat(listed()).isEqualTo(new Waiting(TYPE, 2500, nowSeconds() + 60));
	}

	@Test
	void untilShortlyBeforeTheyAreDueOnlyNewTasksArePutOff() {
		park("old");
		putOff();
		long first = nowSeconds() + 60;
		this.clock.advance(Duration.ofSeconds(10));
		park("new");
		putOff();
		assertThat(this.state.scores(QUEUE, "retry")).containsEntry("old", first)
			.containsEntry("new", nowSeconds() + 60);
		this.clock.advance(Duration.ofSeconds(35));
		putOff();
		assertThat(this.state.scores(QUEUE, "retry").values()).containsOnly(nowSeconds() + 60);
	}

	@Test
	void onlyOneOfTwoServersPutsOff() {
		park("t1");
		Waiting seen = listed();
		this.store.putOff(QUEUE, seen, MAX_AGE);
		this.clock.advance(Duration.ofSeconds(1));
		this.store.putOff(QUEUE, seen, MAX_AGE);
		assertThat(this.state.scores(QUEUE, "retry")).containsEntry("t1", nowSeconds() + 59);
	}

	@Test
	void taskThatHasWaitedTooLongBecomesDue() {
		park("old");
		putOff();
		this.clock.advance(MAX_AGE);
		park("new");
		putOff();
		assertThat(this.state.scores(QUEUE, "retry")).containsEntry("old", nowSeconds())
			.containsEntry("new", nowSeconds() + 60);
	}

	@Test
	void tasksThatWereDeletedOrArchivedOrRunOnRequestAreLeftAlone() {
		park("deleted", "archived", "run", "waits");
		this.broker.tasks().move(QUEUE, TaskMove.DELETE, List.of("deleted"));
		this.broker.tasks().move(QUEUE, TaskMove.ARCHIVE, List.of("archived"));
		this.broker.tasks().move(QUEUE, TaskMove.RUN, List.of("run"));
		putOff();
		this.state.assertRetry(QUEUE, "waits");
		this.state.assertArchived(QUEUE, "archived");
		this.state.assertPending(QUEUE, "run");
		assertThat(listed().tasks()).as("without those that are gone").isEqualTo(2);
	}

	@Test
	void releasedTasksAreDueAtOnceAndNoLongerListed() {
		park(IntStream.range(0, 1200).mapToObj((i) -> "t" + i).toArray(String[]::new));
		putOff();
		this.store.release(QUEUE, listed());
		assertThat(this.state.scores(QUEUE, "retry").values()).hasSize(1200).containsOnly(nowSeconds());
		assertThat(this.store.waiting(QUEUE)).isEmpty();
		assertThat(this.state.exists("asynqj:{default}:unhandled")).isFalse();
		assertThat(this.state.exists("asynqj:{default}:unhandled:" + TYPE)).isFalse();
	}

	@Test
	void taskThatHasFailedMeanwhileKeepsTheTimeOfItsRetry() {
		park("t1");
		this.clock.advance(Duration.ofSeconds(1));
		this.broker.upkeep().forward(QUEUE);
		report(new Outcome.Retry(take(1).get(0), "no mail server", dueIn(3600), true));
		long due = nowSeconds() + 3600;
		this.store.release(QUEUE, listed());
		assertThat(this.state.scores(QUEUE, "retry")).containsEntry("t1", due);
		assertThat(this.store.waiting(QUEUE)).isEmpty();
	}

	@Test
	void keyOfWrongTypeIsNamedAndNothingMoves() {
		park("t1");
		this.state.redis().delete("asynqj:{default}:unhandled:" + TYPE);
		this.state.redis().opsForValue().set("asynqj:{default}:unhandled:" + TYPE, "text");
		assertThatExceptionOfType(WrongTypeException.class).isThrownBy(() -> this.store.waiting(QUEUE))
			.withMessageContaining("asynqj:{default}:unhandled:" + TYPE);
		assertThatExceptionOfType(WrongTypeException.class)
			.isThrownBy(() -> this.store.putOff(QUEUE, new Waiting(TYPE, 1, 0), MAX_AGE));
		this.state.seedPending(RedisState.message(QUEUE, "t2").build());
		assertThat(report(unhandled(take(1).get(0)))).containsExactly(Status.BROKEN);
		this.state.assertActive(QUEUE, "t2");
	}

	@Test
	void deletedQueueLeavesNothingBehind() {
		park("t1");
		this.broker.queueKeeper().delete(QUEUE, true);
		assertThat(this.state.redis().keys("asynqj:{default}:*")).isEmpty();
	}

	@Test
	void serversTellTheirTypesAsLongAsTheyLiveAndTakeTasks() {
		ServerIdentity identity = new ServerIdentity("host", 7, "uuid");
		write(identity, "active");
		assertThat(this.broker.servers().served()).singleElement()
			.satisfies((server) -> assertThat(server.types()).as("like a Go server").isNull());
		this.broker.servers().writeTypes(identity, ServedTypes.text(List.of("a", "b*"), List.of("c:")), ttl());
		assertThat(this.broker.servers().served()).singleElement().satisfies((server) -> {
			assertThat(server.queues()).containsExactly(QUEUE);
			assertThat(List.of("a", "b*", "c:", "c:d")).allMatch(server::includes);
			assertThat(List.of("ab", "b", "bx", "c", "")).noneMatch(server::includes);
		});
		this.broker.servers().writeTypes(identity, ServedTypes.text(List.of(), List.of("")), ttl());
		assertThat(this.broker.servers().served().get(0).includes("any")).isTrue();
		this.broker.servers().writeTypes(identity, ServedTypes.text(List.of(), List.of()), ttl());
		assertThat(this.broker.servers().served().get(0).types()).isEmpty();
		write(identity, "stopped");
		assertThat(this.broker.servers().served()).isEmpty();
		this.broker.servers().clear(identity);
		assertThat(this.state.redis().keys("asynqj:types:*")).isEmpty();
	}

	private void write(ServerIdentity identity, String status) {
		this.broker.servers().enlist(identity, ttl());
		this.broker.servers()
			.write(new ServerSnapshot(identity, 1, new QueueWeights(Map.of(QUEUE, 1), false), status,
					this.clock.instant(), List.of(), Map.of()), ttl());
	}

	private static Duration ttl() {
		return Duration.ofMinutes(1);
	}

	private void putOff() {
		this.store.putOff(QUEUE, listed(), MAX_AGE);
	}

	private Waiting listed() {
		return this.store.waiting(QUEUE).get(0);
	}

	private void park(String... ids) {
		for (String id : ids) {
			park(RedisState.message(QUEUE, id).build());
		}
	}

	private void park(TaskMessage message) {
		this.state.seedPending(message);
		assertThat(report(unhandled(take(1).get(0)))).containsExactly(Status.APPLIED);
	}

	private List<LeasedTask> take(int max) {
		return this.broker.dequeuer().dequeue(QUEUE, max).tasks();
	}

	private List<Status> report(Outcome... outcomes) {
		return this.broker.completer().report(List.of(outcomes)).stream().map(OutcomeResult::status).toList();
	}

	private static Outcome unhandled(LeasedTask task) {
		return new Outcome.Unhandled(task, "no handler", Duration.ofMinutes(1), MAX_AGE);
	}

}
