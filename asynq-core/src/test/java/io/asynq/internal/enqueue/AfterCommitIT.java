package io.asynq.internal.enqueue;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.asynq.AsynqClient;
import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.ClientOptions;
import io.asynq.DuplicateTaskException;
import io.asynq.EnqueueAttempt;
import io.asynq.InvalidTaskException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.event.TaskEvent;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.event.Observers;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.text.LogCapture;
import io.asynq.payload.PayloadConversionException;
import io.asynq.test.MutableClock;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tasks that wait for real transactions, on a real Redis.
 */
@ExtendWith(RedisExtension.class)
@Timeout(120)
class AfterCommitIT {

	private static final String QUEUE = "default";

	private final MutableClock clock = new MutableClock(Instant.parse("2096-01-02T03:04:05.600Z"));

	private final TestDatabase database = new TestDatabase();

	private final List<TaskEvent> heard = new CopyOnWriteArrayList<>();

	private final TaskEvents events = new TaskEvents(() -> List.of(this.heard::add));

	private final RedisState state;

	private final RedisBroker broker;

	private final AsynqClient client;

	AfterCommitIT(RedisConnectionFactory factory) {
		this.state = new RedisState(factory);
		this.broker = broker(factory);
		this.client = client(this.broker, options().build()).afterCommit();
	}

	@BeforeEach
	void start() {
		this.events.start();
	}

	@AfterEach
	void stop() {
		this.events.stop();
	}

	@Test
	void committedTransactionSendsItsTasksInTheirOrder() {
		this.database.transaction().executeWithoutResult((status) -> {
			this.database.insert(1);
			TaskInfo info = enqueue("t1");
			assertThat(info.state()).isEqualTo(TaskState.DEFERRED);
			assertThat(info.id()).isEqualTo("t1");
			List<EnqueueAttempt> attempts = this.client.enqueueAll(List.of(task("t2"), Task.of(" ", ""), task("t3")));
			assertThat(attempts).extracting(EnqueueAttempt::enqueued).containsExactly(true, false, true);
			assertThat(attempts.get(0).orThrow().state()).isEqualTo(TaskState.DEFERRED);
			assertThat(attempts.get(1).error()).isInstanceOf(InvalidTaskException.class);
			assertThat(this.state.dump(QUEUE)).isEmpty();
		});
		assertThat(this.database.orders()).isEqualTo(1);
		this.state.assertPending(QUEUE, "t1", "t2", "t3");
		await().untilAsserted(() -> assertThat(this.heard).hasSize(3).hasOnlyElementsOfType(TaskEvent.Enqueued.class));
	}

	@Test
	void idOfDeferredTaskIsThatOfStoredTask() {
		TaskInfo info = this.database.transaction().execute((status) -> this.client.enqueue("mail"));
		this.state.assertPending(QUEUE, info.id());
	}

	@Test
	void rolledBackTransactionSendsNothing() {
		this.database.transaction().executeWithoutResult((status) -> {
			this.database.insert(1);
			enqueue("t1");
			status.setRollbackOnly();
		});
		assertThatIllegalStateException()
			.isThrownBy(() -> this.database.transaction().executeWithoutResult((status) -> {
				enqueue("t2");
				throw new IllegalStateException("the user's");
			}));
		assertThat(this.database.orders()).isZero();
		assertThat(this.state.dump(QUEUE)).isEmpty();
		enqueue("t3");
		this.state.assertPending(QUEUE, "t3");
	}

	@Test
	void withoutTransactionTasksAreSentAtOnce() {
		assertThat(enqueue("t1").state()).isEqualTo(TaskState.PENDING);
		this.database.transaction(TransactionDefinition.PROPAGATION_SUPPORTS).executeWithoutResult((status) -> {
			assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isTrue();
			assertThat(enqueue("t2").state()).isEqualTo(TaskState.PENDING);
			this.state.assertPending(QUEUE, "t1", "t2");
		});
	}

	@Test
	void plainClientWaitsOnlyIfItsOptionsSaySo() {
		AsynqClient plain = client(this.broker, options().build());
		AsynqClient waiting = client(this.broker, options().afterCommit(true).build());
		assertThat(waiting.afterCommit()).isSameAs(waiting);
		this.database.transaction().executeWithoutResult((status) -> {
			assertThat(plain.enqueue("mail").state()).isEqualTo(TaskState.PENDING);
			assertThat(waiting.enqueue("mail").state()).isEqualTo(TaskState.DEFERRED);
			assertThat(this.state.pending(QUEUE)).hasSize(1);
		});
		assertThat(this.state.pending(QUEUE)).hasSize(2);
	}

	@Test
	void checksAreMadeAtTheCall() {
		AsynqClient small = client(this.broker, options().maxPayloadSize(3).build()).afterCommit();
		this.database.transaction().executeWithoutResult((status) -> {
			assertThatExceptionOfType(InvalidTaskException.class)
				.isThrownBy(() -> small.enqueue(Task.of("mail", "four")))
				.withMessageContaining("max-payload-size");
			assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> small.enqueue(" "));
			assertThatExceptionOfType(InvalidTaskException.class)
				.isThrownBy(() -> small.enqueue("mail", (o) -> o.queue(" ")));
			assertThatExceptionOfType(PayloadConversionException.class)
				.isThrownBy(() -> small.enqueue("mail", new Unreadable()));
			// Whether the transaction goes on is for the caller to say
			small.enqueue("mail", (o) -> o.taskId("t1"));
		});
		this.state.assertPending(QUEUE, "t1");
	}

	@Test
	void delayCountsFromTheCall() {
		TaskInfo info = this.database.transaction().execute((status) -> {
			TaskInfo deferred = this.client.enqueue("mail", (o) -> o.taskId("t1").processIn(Duration.ofSeconds(60)));
			this.clock.advance(Duration.ofSeconds(30));
			return deferred;
		});
		Instant due = Instant.parse("2096-01-02T03:05:05Z");
		assertThat(info.state()).isEqualTo(TaskState.DEFERRED);
		assertThat(info.nextProcessAt()).isEqualTo(due);
		assertThat(this.state.scores(QUEUE, "scheduled")).containsExactly(Map.entry("t1", due.getEpochSecond()));
	}

	@Test
	void duplicateIsToldToListenersAndLogged() {
		try (LogCapture log = LogCapture.of(LateSending.class, Level.INFO)) {
			this.database.transaction().executeWithoutResult((status) -> {
				unique("t1");
				assertThat(unique("t2").state()).isEqualTo(TaskState.DEFERRED);
				enqueue("t3");
			});
			this.state.assertPending(QUEUE, "t1", "t3");
			await().untilAsserted(() -> assertThat(this.heard).hasSize(3));
			TaskEvent.NotEnqueued event = notEnqueued();
			assertThat(event.facts().id()).isEqualTo("t2");
			assertThat(event.facts().queue()).isEqualTo(QUEUE);
			assertThat(event.error()).isInstanceOf(DuplicateTaskException.class);
			assertThat(log.lines()).singleElement()
				.satisfies((line) -> assertThat(line.getFormattedMessage()).startsWith("Task t2 (mail), deferred"));
			assertThat(log.lines(Level.WARN)).isEmpty();
		}
	}

	@Test
	void failureToSendIsToldAndTheTransactionStaysCommitted() {
		JedisConnectionFactory nowhere = new JedisConnectionFactory(
				new RedisStandaloneConfiguration("localhost", TestRedis.freePort()));
		nowhere.afterPropertiesSet();
		nowhere.start();
		AsynqClient cutOff = client(broker(nowhere), options().build()).afterCommit();
		try (LogCapture log = LogCapture.of(LateSending.class, Level.INFO)) {
			this.database.transaction().executeWithoutResult((status) -> {
				this.database.insert(1);
				cutOff.enqueue("mail", "secret", (o) -> o.taskId("t1"));
				cutOff.enqueue("mail", "secret", (o) -> o.taskId("t2").queue("low"));
			});
			assertThat(this.database.orders()).isEqualTo(1);
			await().untilAsserted(() -> assertThat(this.heard).hasSize(2));
			assertThat(this.heard).allSatisfy((event) -> assertThat(((TaskEvent.NotEnqueued) event).error())
				.isInstanceOf(BrokerUnavailableException.class));
			assertThat(this.heard).extracting((event) -> event.facts().id()).containsExactly("t1", "t2");
			assertThat(log.lines(Level.WARN)).hasSize(2);
			assertThat(log.lines()).extracting(ILoggingEvent::getFormattedMessage)
				.noneMatch((line) -> line.contains("secret"));
			assertThat(log.lines().get(1).getFormattedMessage()).startsWith("Task t2 (mail), deferred")
				.contains("queue low");
		}
		finally {
			nowhere.destroy();
		}
	}

	@Test
	void readOnlyTransactionIsWaitedForAsWell() {
		var readOnly = this.database.transaction();
		readOnly.setReadOnly(true);
		readOnly.executeWithoutResult((status) -> {
			assertThat(enqueue("t1").state()).isEqualTo(TaskState.DEFERRED);
			assertThat(this.state.dump(QUEUE)).isEmpty();
		});
		this.state.assertPending(QUEUE, "t1");
	}

	@Test
	void reactiveTransactionIsRefused() {
		AtomicInteger begun = new AtomicInteger();
		TransactionalOperator operator = TransactionalOperator.create(new ReactiveTransactions(begun));
		Mono<TaskInfo> enqueued = Mono.fromCallable(() -> enqueue("t1")).subscribeOn(Schedulers.parallel());
		assertThatExceptionOfType(AsynqException.class).isThrownBy(enqueued.as(operator::transactional)::block)
			.withMessageContaining("reactive transaction cannot be seen")
			.withMessageContaining("parallel-");
		assertThat(begun).hasValue(1);
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@Test
	void tasksOfCallbacksAfterTheCommitAreSent() {
		this.database.transaction().executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCommit() {
					enqueue("after-commit");
				}

				@Override
				public void afterCompletion(int outcome) {
					requiresNew().executeWithoutResult((inner) -> {
						enqueue("dropped");
						inner.setRollbackOnly();
					});
					enqueue("after-completion");
				}
			});
		});
		this.state.assertPending(QUEUE, "after-commit", "after-completion");
	}

	/** Where listeners of transactional events hear of the commit. */
	@Test
	void taskIsStoredWhenOthersHearThatTheTransactionIsComplete() {
		AtomicReference<List<String>> found = new AtomicReference<>();
		this.database.transaction().executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCompletion(int outcome) {
					found.set(AfterCommitIT.this.state.pending(QUEUE));
				}
			});
			enqueue("t1");
		});
		assertThat(found.get()).containsExactly("t1");
	}

	@Test
	void callbackThatThrowsAfterTheCommitKeepsNoTaskBack() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.database.transaction().executeWithoutResult((status) -> {
				TransactionSynchronizationManager.registerSynchronization(new First());
				enqueue("t1");
			}))
			.withMessage("the user's");
		this.state.assertPending(QUEUE, "t1");
	}

	@Test
	void taskOfTransactionWithUnknownOutcomeIsNotSentButTold() {
		TestDatabase losing = new TestDatabase(LosingTransactions::new);
		try (LogCapture log = LogCapture.of(LateSending.class, Level.INFO)) {
			assertThatExceptionOfType(LosingTransactions.Lost.class)
				.isThrownBy(() -> losing.transaction().executeWithoutResult((status) -> enqueue("t1")));
			assertThat(this.state.dump(QUEUE)).isEmpty();
			await().untilAsserted(() -> assertThat(this.heard).hasSize(1));
			assertThat(notEnqueued().error()).hasMessageContaining("not known");
			assertThat(log.lines(Level.WARN)).hasSize(1);
		}
	}

	private TaskInfo enqueue(String id) {
		return this.client.enqueue(task(id));
	}

	private TaskInfo unique(String id) {
		return this.client.enqueue("mail", (o) -> o.taskId(id).unique(Duration.ofHours(1)));
	}

	private TaskEvent.NotEnqueued notEnqueued() {
		return this.heard.stream()
			.filter(TaskEvent.NotEnqueued.class::isInstance)
			.map(TaskEvent.NotEnqueued.class::cast)
			.findFirst()
			.orElseThrow();
	}

	private TransactionTemplate requiresNew() {
		return this.database.transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
	}

	private ClientOptions.Builder options() {
		return ClientOptions.builder().clock(this.clock);
	}

	private AsynqClient client(RedisBroker broker, ClientOptions options) {
		return broker.client(options, new Observers(this.events, TaskObservations.none()), null);
	}

	private static Task task(String id) {
		return Task.of("mail", id).withOptions(TaskOptions.of((o) -> o.taskId(id)));
	}

	private static RedisBroker broker(RedisConnectionFactory factory) {
		return new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
	}

	/** Jackson cannot write it. */
	static final class Unreadable {

		public String getText() {
			throw new IllegalStateException("no text");
		}

	}

	/** Is called before everything that was registered later. */
	private static final class First implements TransactionSynchronization {

		@Override
		public int getOrder() {
			return Integer.MIN_VALUE;
		}

		@Override
		public void afterCommit() {
			throw new IllegalStateException("the user's");
		}

	}

}
