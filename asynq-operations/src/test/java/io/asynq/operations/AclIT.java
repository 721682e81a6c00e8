package io.asynq.operations;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import io.asynq.internal.worker.QueueShare;
import io.asynq.internal.worker.TaskDequeuer.Answer;
import io.asynq.test.AclRule;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The documented rule of the Redis user: it is sufficient, it is minimal, and a missing
 * permission is named.
 */
class AclIT {

	private static TestRedis redis;

	private static JedisConnectionFactory admin;

	private JedisConnectionFactory user;

	@BeforeAll
	static void start() {
		redis = TestRedis.startOwn();
		admin = RedisExtension.connectionFactory(redis);
	}

	@AfterAll
	static void stop() {
		admin.destroy();
		redis.stop();
	}

	@BeforeEach
	void connect() {
		try (RedisConnection connection = admin.getConnection()) {
			connection.serverCommands().flushAll();
		}
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(redis.host(), redis.port());
		configuration.setUsername(AclRule.USER);
		configuration.setPassword(AclRule.PASSWORD);
		this.user = new JedisConnectionFactory(configuration, admin.getClientConfiguration());
		this.user.afterPropertiesSet();
		this.user.start();
	}

	@AfterEach
	void disconnect() {
		this.user.destroy();
	}

	@Test
	void documentedRuleIsSufficient() {
		AclRule.grant(admin, AclRule.documented());
		assertThat(errors()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("rights")
	void eachMissingPermissionIsNamed(String right) {
		List<String> rights = new ArrayList<>(AclRule.documented());
		rights.remove(right);
		AclRule.grant(admin, rights);
		String named = right.substring(1).split("\\|")[0];
		assertThat(errors()).as("errors without %s", right)
			.anySatisfy((error) -> assertThat(error).containsIgnoringCase(named).contains("docs/security.md"));
	}

	@Test
	void userOfOneQueueDeletesItWithoutAccessToOthers() {
		grantOneQueueOnly();
		RedisState state = new RedisState(admin);
		state.seedPending(RedisState.message("default", "t1").build(), RedisState.message("other", "t1").build());
		RedisBroker broker = broker();
		assertThat(broker.queueKeeper().delete("default", true)).isEmpty();
		assertThat(state.dump("default")).isEmpty();
		assertThat(broker.queues().queues()).containsExactly("other");
	}

	@Test
	void refusedQueueInBatchLeavesOtherQueuesAlone() {
		grantOneQueueOnly();
		RedisState state = new RedisState(admin);
		Placement later = new Placement.Scheduled(Instant.parse("2099-01-01T00:00:00Z"));
		List<Optional<AsynqException>> errors = broker().enqueuer()
			.enqueueAll(List.of(request("default", "a", new Placement.Pending()),
					request("other", "b", new Placement.Pending()), request("default", "c", later),
					request("other", "d", later)));
		assertThat(errors).satisfiesExactly((none) -> assertThat(none).isEmpty(),
				(error) -> refusesOther(error.orElseThrow()), (none) -> assertThat(none).isEmpty(),
				(error) -> refusesOther(error.orElseThrow()));
		state.assertPending("default", "a");
		state.assertScheduled("default", "c");
		assertThat(state.dump("other")).isEmpty();
	}

	@Test
	void refusedQueueAmongSeveralLeavesOtherQueuesAlone() {
		grantOneQueueOnly();
		RedisState state = new RedisState(admin);
		state.seedPending(RedisState.message("default", "t1").build(), RedisState.message("other", "t1").build());
		RedisBroker broker = broker();
		List<Answer> answers = broker.dequeuer()
			.dequeue(List.of(new QueueShare("other", 1), new QueueShare("default", 1)), 2, 0);
		refusesOther(answers.get(0).error());
		List<LeasedTask> tasks = answers.get(1).dequeued().tasks();
		assertThat(tasks).hasSize(1);
		LeasedTask others = new LeasedTask(RedisState.message("other", "t1").build(),
				new Lease("other", "t1", "fence", System.nanoTime()));
		List<OutcomeResult> results = broker.completer()
			.report(List.of(new Outcome.Done(others), new Outcome.Done(tasks.get(0))));
		refusesOther(results.get(0).error());
		assertThat(results.get(1)).isEqualTo(OutcomeResult.APPLIED);
	}

	static Stream<String> rights() {
		return AclRule.documented().stream().filter((word) -> "+~&".indexOf(word.charAt(0)) >= 0);
	}

	private void grantOneQueueOnly() {
		List<String> rights = new ArrayList<>(AclRule.documented());
		rights.replaceAll((right) -> right.matches("~asynqj?:\\*") ? right.replace("*", "{default}:*") : right);
		rights.add("~asynq:queues");
		AclRule.grant(admin, rights);
	}

	private RedisBroker broker() {
		return new RedisBroker(this.user, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
	}

	private static EnqueueRequest request(String queue, String id, Placement placement) {
		return new EnqueueRequest(RedisState.message(queue, id).build(), placement, null);
	}

	private static void refusesOther(AsynqException error) {
		assertThat(error).isInstanceOf(BrokerException.class).hasMessageContaining("queue 'other'");
	}

	private List<String> errors() {
		return new EveryCall(this.user, admin).errors();
	}

}
