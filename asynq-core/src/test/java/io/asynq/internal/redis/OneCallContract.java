package io.asynq.internal.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult.Status;
import io.asynq.internal.worker.QueueShare;
import io.asynq.internal.worker.TaskDequeuer.Answer;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a single Redis does for several queues in one call, within the limits of a call.
 */
@OnDrivers({ Driver.STANDALONE, Driver.LETTUCE })
class OneCallContract extends OutcomeContract {

	private static final List<String> QUEUES = List.of("a", "b", "c");

	OneCallContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void severalQueuesAreDequeuedInOneCall() {
		QUEUES.forEach((queue) -> seed(queue, 1, 10));
		dequeue(1);
		long before = calls();
		assertThat(dequeue(8)).hasSize(3);
		assertThat(calls() - before).isEqualTo(1);
	}

	@Test
	void outcomesOfSeveralQueuesAreWrittenInOneCallForEachKind() {
		List<Outcome> outcomes = new ArrayList<>();
		for (int i = 0; i < 60; i++) {
			LeasedTask task = active(RedisState.message(QUEUES.get(i % 3), "t" + i).build());
			outcomes.add((i % 4 == 0) ? new Outcome.Retry(task, "x", dueIn(9), true) : new Outcome.Done(task));
		}
		report(new Outcome.Done(active(message("other").build())));
		long before = calls();
		assertThat(report(outcomes.toArray(Outcome[]::new))).containsOnly(Status.APPLIED);
		assertThat(calls() - before).isEqualTo(2);
		QUEUES.forEach((queue) -> this.state.assertCounters(queue, DAY, 20, 5));
	}

	@Test
	void callTakesSixtyFourTasksOverAllQueues() {
		QUEUES.forEach((queue) -> seed(queue, 1, 40));
		assertThat(dequeue(200).stream().mapToInt(OneCallContract::taken)).containsExactly(40, 24);
	}

	@Test
	void callTakesAboutFourMebibytesOverAllQueues() {
		seed("a", 3 * 1024 * 1024, 1);
		seed("b", 3 * 1024 * 1024, 1);
		seed("c", 1, 1);
		List<Answer> answers = dequeue(10);
		assertThat(answers).extracting(Answer::queue).containsExactly("a", "b");
		assertThat(answers.stream().mapToInt(OneCallContract::taken)).containsExactly(1, 0);
		assertThat(dequeue(10).stream().mapToInt(OneCallContract::taken)).containsExactly(0, 1, 1);
	}

	@Test
	void activeTasksOfManyQueuesShareTheLookLimit() {
		List<Outcome> outcomes = new ArrayList<>();
		for (String queue : QUEUES) {
			outcomes.add(new Outcome.Done(active(RedisState.message(queue, "t").build())));
			if (!queue.equals("c")) {
				// Far from both ends of a list that is longer than a script may look at
				fillActive(queue, 100_000, true);
				fillActive(queue, 100_000, false);
			}
		}
		assertThat(report(outcomes.toArray(Outcome[]::new))).containsOnly(Status.APPLIED);
		QUEUES.forEach((queue) -> this.state.assertCounters(queue, DAY, 1, 0));
	}

	private void fillActive(String queue, int ids, boolean left) {
		byte[] key = utf8("asynq:{" + queue + "}:active");
		byte[][] all = IntStream.range(0, ids).mapToObj((i) -> utf8("o" + left + i)).toArray(byte[][]::new);
		this.state.redis()
			.execute((connection) -> left ? connection.listCommands().lPush(key, all)
					: connection.listCommands().rPush(key, all), true);
	}

	private void seed(String queue, int bytes, int tasks) {
		for (int i = 0; i < tasks; i++) {
			this.state.seedPending(RedisState.message(queue, "t" + i).payload(new byte[bytes]).build());
		}
	}

	private List<Answer> dequeue(int max) {
		Stream<QueueShare> shares = QUEUES.stream()
			.map((queue) -> new QueueShare(queue, (max > 10) ? 40 : max / 3 + 1));
		return this.broker.dequeuer().dequeue(shares.toList(), max, 0);
	}

	private static int taken(Answer answer) {
		return (answer.dequeued() != null) ? answer.dequeued().tasks().size() : 0;
	}

	private long calls() {
		return this.state.redis().execute(OneCallContract::scripts, true);
	}

	private static long scripts(RedisConnection connection) {
		String line = connection.serverCommands().info("commandstats").getProperty("cmdstat_evalsha");
		return Long.parseLong(line.substring("calls=".length(), line.indexOf(',')));
	}

}
