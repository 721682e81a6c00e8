package io.asynq.internal.redis;

import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.Page;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application whose thread has a Redis transaction, or a pipeline, of its own.
 */
@OnDrivers({ Driver.STANDALONE, Driver.LETTUCE })
class OwnConnectionsContract extends BrokerContract {

	/** Not that of the application, which is bound to the thread. */
	private final JedisConnectionFactory admin = RedisExtension.connectionFactory(TestRedis.shared());

	private final RedisState stored = new RedisState(this.admin);

	private final StringRedisTemplate application;

	private final TransactionTemplate transaction;

	private final AsynqClient client;

	OwnConnectionsContract(RedisConnectionFactory factory) {
		super(factory);
		this.application = new StringRedisTemplate(factory);
		this.application.setEnableTransactionSupport(true);
		JdbcDataSource database = new JdbcDataSource();
		database.setURL("jdbc:h2:mem:" + UUID.randomUUID());
		this.transaction = new TransactionTemplate(new DataSourceTransactionManager(database));
		this.client = AsynqClient.create(this.broker, ClientOptions.builder().clock(this.clock).build());
	}

	@BeforeEach
	void seed() {
		this.client.enqueue(Task.of("mail", "x"), TaskOptions.of((o) -> o.taskId("seeded")));
	}

	@AfterEach
	void close() {
		this.broker.close();
		this.admin.destroy();
	}

	@Test
	void taskThatWaitsForTheCommitIsStoredAfterIt() {
		this.transaction.executeWithoutResult((status) -> {
			this.application.opsForValue().set("order", "1");
			this.client.afterCommit().enqueue("mail");
			this.client.afterCommit().enqueueAll(List.of(Task.of("mail", "a"), Task.of("mail", "b")));
			assertThat(this.stored.pending(QUEUE)).containsExactly("seeded");
		});
		assertThat(this.application.opsForValue().get("order")).isEqualTo("1");
		assertThat(this.stored.pending(QUEUE)).hasSize(4);
	}

	@Test
	void taskOfARolledBackTransactionIsDropped() {
		this.transaction.executeWithoutResult((status) -> {
			this.application.opsForValue().set("order", "1");
			this.client.afterCommit().enqueue("mail");
			status.setRollbackOnly();
		});
		assertThat(this.application.opsForValue().get("order")).isNull();
		assertThat(this.stored.pending(QUEUE)).containsExactly("seeded");
	}

	@ParameterizedTest
	@MethodSource("calls")
	void callIsNotPartOfATransactionThatCommits(Function<OwnConnectionsContract, Boolean> call) {
		this.transaction.executeWithoutResult((status) -> {
			this.application.opsForValue().set("order", "1");
			assertThat(call.apply(this)).isTrue();
		});
		assertThat(this.application.opsForValue().get("order")).isEqualTo("1");
	}

	@ParameterizedTest
	@MethodSource("calls")
	void callIsDoneThoughTheTransactionIsRolledBack(Function<OwnConnectionsContract, Boolean> call) {
		this.transaction.executeWithoutResult((status) -> {
			this.application.opsForValue().set("order", "1");
			assertThat(call.apply(this)).isTrue();
			status.setRollbackOnly();
		});
		assertThat(this.application.opsForValue().get("order")).isNull();
	}

	@ParameterizedTest
	@MethodSource("calls")
	void callIsNotPartOfMultiAndExec(Function<OwnConnectionsContract, Boolean> call) {
		List<Object> executed = this.application.execute(session((operations) -> {
			operations.multi();
			operations.opsForValue().set("order", "1");
			assertThat(call.apply(this)).isTrue();
		}, (operations) -> operations.exec()));
		assertThat(executed).hasSize(1);
	}

	@ParameterizedTest
	@MethodSource("calls")
	void callIsNotPartOfAPipeline(Function<OwnConnectionsContract, Boolean> call) {
		List<Object> executed = this.application.executePipelined(session((operations) -> {
			operations.opsForValue().set("order", "1");
			assertThat(call.apply(this)).isTrue();
		}, (operations) -> null));
		assertThat(executed).hasSize(1);
	}

	static Stream<Named<Function<OwnConnectionsContract, Boolean>>> calls() {
		return Stream
			.of(call("enqueue", (self) -> self.client.enqueue("mail").state() == TaskState.PENDING), call("enqueueAll",
					(self) -> self.client.enqueueAll(List.of(Task.of("mail", "a"), Task.of("mail", "b")))
						.stream()
						.allMatch((attempt) -> attempt.enqueued())),
					call("first task of a queue",
							(self) -> self.client.enqueue("mail", (o) -> o.queue("new")).queue().equals("new")
									&& self.inspector().queues().contains("new")),
					call("without shared calls", (self) -> {
						self.broker.enqueuer()
							.enqueue(new EnqueueRequest(RedisState.message(QUEUE, "alone").build(),
									new Placement.Pending(), null));
						return self.stored.pending(QUEUE).contains("alone");
					}), call("list of queues", (self) -> self.inspector().queues().contains(QUEUE)),
					call("list of tasks",
							(self) -> self.inspector().listTasks(QUEUE, TaskState.PENDING, Page.of(1, 9)).size() >= 1),
					call("archive", (self) -> {
						self.inspector().archiveTask(QUEUE, "seeded");
						return self.stored.redis().opsForZSet().score("asynq:{default}:archived", "seeded") != null;
					}), call("pause", (self) -> {
						self.inspector().pauseQueue(QUEUE);
						return self.inspector().queueInfo(QUEUE).paused();
					}), call("fetch", (self) -> self.broker.dequeuer().dequeue(QUEUE, 1).tasks().size() == 1),
					call("ping", (self) -> {
						self.client.ping();
						return true;
					}),
					call("what Redis says of itself",
							(self) -> self.broker.scripts()
								.runAsGiven("INFO", "the test",
										(connection) -> !connection.serverCommands().info().isEmpty())));
	}

	private static Named<Function<OwnConnectionsContract, Boolean>> call(String name,
			Function<OwnConnectionsContract, Boolean> call) {
		return Named.of(name, call);
	}

	private AsynqInspector inspector() {
		return AsynqInspector.create(this.broker, this.clock);
	}

	private static SessionCallback<List<Object>> session(Consumer<RedisOperations<String, String>> work,
			Function<RedisOperations<String, String>, List<Object>> end) {
		return new SessionCallback<>() {

			@Override
			@SuppressWarnings("unchecked")
			public <K, V> List<Object> execute(RedisOperations<K, V> operations) throws DataAccessException {
				work.accept((RedisOperations<String, String>) operations);
				return end.apply((RedisOperations<String, String>) operations);
			}

		};
	}

}
