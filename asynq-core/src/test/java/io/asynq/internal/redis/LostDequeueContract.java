package io.asynq.internal.redis;

import java.time.Clock;
import java.util.List;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.worker.Dequeued;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.LostDequeues;
import io.asynq.internal.worker.QueueShare;
import io.asynq.test.TestRedis;
import io.asynq.test.process.RequiresGo;
import io.asynq.test.redis.LossyProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Dequeues that Redis has executed but whose answers were lost.
 */
@RequiresGo
@OnDrivers({ Driver.STANDALONE, Driver.LETTUCE })
class LostDequeueContract {

	private static final String QUEUE = "default";

	private final RedisState state;

	private final LossyProxy relay;

	private final RedisConnectionFactory relayed;

	private final RedisBroker broker;

	private final LostDequeues lost;

	LostDequeueContract(RedisConnectionFactory factory) {
		this.state = new RedisState(factory);
		this.relay = LossyProxy.start(TestRedis.shared().port());
		this.relayed = this.relay.connectionsLike(factory);
		this.broker = new RedisBroker(this.relayed, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
		this.lost = new LostDequeues(RedisState.scripts(this.relayed), ScriptTime.REDIS);
		// Redis has the scripts, so that the answer to their first call is not that it
		// lacks them
		this.broker.dequeuer().dequeue("none", 1);
		this.broker.dequeuer().dequeue(List.of(new QueueShare("none", 1), new QueueShare("neither", 1)), 1, 0);
	}

	@AfterEach
	void close() throws Exception {
		((DisposableBean) this.relayed).destroy();
		this.relay.close();
	}

	@Test
	void tasksOfLostDequeueReturnBeforeNextDequeue() {
		this.state.seedPending(RedisState.message(QUEUE, "t1").build(), RedisState.message(QUEUE, "t2").build());
		loseADequeue();
		this.state.assertActive(QUEUE, "t1", "t2");
		Dequeued dequeued = this.broker.dequeuer().dequeue(QUEUE, 10);
		assertThat(dequeued.tasks()).extracting((task) -> task.message().id()).containsExactlyInAnyOrder("t1", "t2");
		assertThat(this.state.active(QUEUE)).containsExactlyInAnyOrder("t1", "t2");
		assertThat(this.broker.dequeuer().giveBackLost((queue) -> true)).isEmpty();
	}

	@Test
	void tasksOfLostDequeueReturnEvenIfNothingElseIsTaken() {
		this.state.seedPending(RedisState.message(QUEUE, "t1").build(), RedisState.message(QUEUE, "t2").build());
		LeasedTask other = this.broker.dequeuer().dequeue(QUEUE, 1).tasks().get(0);
		loseADequeue();
		assertThat(this.broker.dequeuer().giveBackLost((queue) -> true)).containsExactly(QUEUE);
		this.state.assertActive(QUEUE, other.message().id());
		this.state.assertPending(QUEUE, "t2");
		assertThat(this.state.fields(QUEUE, "t2")).containsOnlyKeys("state", "pending_since");
		assertThat(this.broker.dequeuer().giveBackLost((queue) -> true)).isEmpty();
	}

	@Test
	void tasksOfSeveralQueuesReturnAfterLostDequeue() {
		this.state.seedPending(RedisState.message(QUEUE, "t1").build(), RedisState.message("other", "t2").build());
		this.relay.loseAnswerTo(":paused");
		List<QueueShare> shares = List.of(new QueueShare(QUEUE, 5), new QueueShare("other", 5));
		assertThatExceptionOfType(BrokerUnavailableException.class)
			.isThrownBy(() -> this.broker.dequeuer().dequeue(shares, 10, 0));
		this.state.assertActive(QUEUE, "t1");
		this.state.assertActive("other", "t2");
		assertThat(this.broker.dequeuer().dequeue(shares, 10, 0)).flatExtracting((answer) -> answer.dequeued().tasks())
			.extracting((task) -> ((LeasedTask) task).message().id())
			.containsExactly("t1", "t2");
		this.state.assertActive(QUEUE, "t1");
		this.state.assertActive("other", "t2");
		assertThat(this.broker.dequeuer().giveBackLost((queue) -> true)).isEmpty();
	}

	@Test
	void tasksOfSeveralQueuesReturnEvenIfNothingElseIsTaken() {
		this.state.seedPending(RedisState.message(QUEUE, "t1").build(), RedisState.message("other", "t2").build());
		this.relay.loseAnswerTo(":paused");
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(() -> this.broker.dequeuer()
			.dequeue(List.of(new QueueShare(QUEUE, 5), new QueueShare("other", 5)), 10, 0));
		assertThat(this.broker.dequeuer().giveBackLost((queue) -> true)).containsExactlyInAnyOrder(QUEUE, "other");
		this.state.assertPending(QUEUE, "t1");
		this.state.assertPending("other", "t2");
	}

	@Test
	void tasksDeliveredByRepeatedDequeueAreNotReturned() {
		this.state.seedPending(RedisState.message(QUEUE, "t1").build(), RedisState.message(QUEUE, "t2").build());
		List<LeasedTask> tasks = this.broker.dequeuer().dequeue(QUEUE, 2).tasks();
		this.lost.add(QUEUE, tasks.get(0).lease().fence(), tasks.subList(0, 1));
		assertThat(this.lost.giveBack(QUEUE)).isEqualTo(1);
		this.state.assertActive(QUEUE, "t1");
		this.state.assertPending(QUEUE, "t2");
	}

	@Test
	void abandonedDequeueExecutedLateTakesNothing() {
		this.lost.add(QUEUE, "late", List.of());
		assertThat(this.lost.giveBack(QUEUE)).isZero();
		assertThat(this.state.exists("asynqj:{default}:void:late")).isTrue();
		this.state.seedPending(RedisState.message(QUEUE, "t1").build());
		Keys keys = Keys.of(QUEUE);
		List<Object> answer = RedisState.scripts(this.relayed)
			.runList(LuaScript.DEQUEUE, "late", List.of(keys.pending(), keys.paused(), keys.active(), keys.lease(),
					keys.voided("late"), keys.cancelled()), "", "", 1, 1, "late", 1, 1);
		assertThat(answer.get(1)).isEqualTo(List.of());
		this.state.assertPending(QUEUE, "t1");
	}

	/**
	 * Drivers that repeat by themselves may have sent it twice.
	 */
	@Test
	void slowDequeueIsNotTakenForLost() {
		this.state.seedPending(RedisState.message(QUEUE, "t1").build());
		this.state.redis()
			.execute((connection) -> connection.execute("CLIENT", Text.utf8("PAUSE"), Text.utf8("1200")), true);
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 1).tasks()).hasSize(1);
		long before = this.state.redis().execute(LostDequeueContract::scripts, true);
		this.broker.dequeuer().giveBackLost((queue) -> true);
		assertThat(this.state.redis().execute(LostDequeueContract::scripts, true)).isEqualTo(before);
	}

	/** Else its tasks would be recovered as failed, though they never ran. */
	@ParameterizedTest
	@ValueSource(strings = { "pending", "active", "lease" })
	void lostDequeueIsNotForgottenWhileAKeyHasTheWrongType(String name) {
		this.state.seedPending(RedisState.message(QUEUE, "t1").build());
		loseADequeue();
		String key = "asynq:{default}:" + name;
		if (this.state.exists(key)) {
			this.state.redis().rename(key, "asynq:{default}:aside");
		}
		this.state.redis().opsForValue().set(key, "text");
		assertThat(this.broker.dequeuer().giveBackLost((queue) -> true)).isEmpty();
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> this.broker.dequeuer().dequeue(QUEUE, 10))
			.withMessageContaining(key);
		this.state.redis().delete(key);
		if (this.state.exists("asynq:{default}:aside")) {
			this.state.redis().rename("asynq:{default}:aside", key);
		}
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 10).tasks()).extracting((task) -> task.message().id())
			.containsExactly("t1");
	}

	private static long scripts(RedisConnection connection) {
		String line = connection.serverCommands().info("commandstats").getProperty("cmdstat_evalsha");
		return Long.parseLong(line.substring("calls=".length(), line.indexOf(',')));
	}

	private void loseADequeue() {
		this.relay.loseAnswerTo(":paused");
		assertThatExceptionOfType(BrokerUnavailableException.class)
			.isThrownBy(() -> this.broker.dequeuer().dequeue(QUEUE, 10));
		assertThat(this.relay.lost()).isEqualTo(1);
	}

}
