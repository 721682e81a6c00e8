package io.asynq.internal.enqueue;

import java.time.Clock;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.RedisState;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which transaction a task waits for where one runs inside of another, beside that of
 * another manager, or was begun by others.
 */
@ExtendWith(RedisExtension.class)
@Timeout(120)
class SeveralTransactionsIT {

	private static final String QUEUE = "default";

	private final TestDatabase database = new TestDatabase();

	private final RedisState state;

	private final AsynqClient client;

	SeveralTransactionsIT(RedisConnectionFactory factory) {
		Clock clock = Clock.systemUTC();
		this.state = new RedisState(factory);
		this.client = AsynqClient.create(new RedisBroker(factory, clock, RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		}), ClientOptions.builder().clock(clock).build()).afterCommit();
	}

	@Test
	void suspendedTransactionKeepsItsTasksToItself() {
		this.database.transaction().executeWithoutResult((outer) -> {
			enqueue("outer-1");
			requiresNew().executeWithoutResult((inner) -> enqueue("inner"));
			this.state.assertPending(QUEUE, "inner");
			requiresNew().executeWithoutResult((inner) -> {
				enqueue("dropped");
				inner.setRollbackOnly();
			});
			this.database.transaction(TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
				.executeWithoutResult((none) -> enqueue("at-once"));
			this.state.assertPending(QUEUE, "inner", "at-once");
			enqueue("outer-2");
		});
		this.state.assertPending(QUEUE, "inner", "at-once", "outer-1", "outer-2");
	}

	@Test
	void rolledBackOuterTransactionLeavesWhatAnInnerOneHasCommitted() {
		this.database.transaction().executeWithoutResult((outer) -> {
			enqueue("outer");
			requiresNew().executeWithoutResult((inner) -> enqueue("inner"));
			outer.setRollbackOnly();
		});
		this.state.assertPending(QUEUE, "inner");
	}

	@Test
	void rolledBackSavepointDropsWhatCameAfterIt() {
		this.database.transaction().executeWithoutResult((outer) -> {
			// The first task of all is enqueued after a savepoint
			this.database.nested().executeWithoutResult((nested) -> {
				enqueue("dropped-1");
				nested.setRollbackOnly();
			});
			enqueue("outer-1");
			this.database.nested().executeWithoutResult((nested) -> {
				this.database.insert(1);
				enqueue("dropped-2");
				this.database.nested().executeWithoutResult((deeper) -> enqueue("dropped-3"));
				nested.setRollbackOnly();
			});
			this.database.nested().executeWithoutResult((nested) -> enqueue("nested"));
			Object savepoint = outer.createSavepoint();
			enqueue("dropped-4");
			outer.rollbackToSavepoint(savepoint);
			enqueue("outer-2");
			assertThat(this.state.dump(QUEUE)).isEmpty();
		});
		assertThat(this.database.orders()).isZero();
		this.state.assertPending(QUEUE, "outer-1", "nested", "outer-2");
	}

	@Test
	void taskBelongsToTheInnermostTransactionOfSeveralManagers() {
		TestDatabase other = new TestDatabase();
		this.database.transaction().executeWithoutResult((first) -> {
			enqueue("first");
			other.transaction().executeWithoutResult((second) -> {
				other.insert(1);
				enqueue("second");
			});
			this.state.assertPending(QUEUE, "second");
			other.transaction().executeWithoutResult((second) -> {
				enqueue("dropped");
				second.setRollbackOnly();
			});
		});
		assertThat(other.orders()).isEqualTo(1);
		this.state.assertPending(QUEUE, "second", "first");
	}

	@Test
	void transactionThatOthersHaveBegunIsWaitedForUntilTheyEndIt() {
		JoinedTransactions joined = new JoinedTransactions();
		TransactionTemplate part = new TransactionTemplate(joined);
		part.executeWithoutResult((status) -> enqueue("t1"));
		part.executeWithoutResult((status) -> enqueue("t2"));
		assertThat(this.state.dump(QUEUE)).isEmpty();
		this.database.transaction().executeWithoutResult((status) -> enqueue("of-another"));
		this.state.assertPending(QUEUE, "of-another");
		joined.end(TransactionSynchronization.STATUS_COMMITTED);
		this.state.assertPending(QUEUE, "of-another", "t1", "t2");
	}

	@Test
	void transactionThatOthersHaveBegunAndRollBackSendsNothing() {
		JoinedTransactions joined = new JoinedTransactions();
		new TransactionTemplate(joined).executeWithoutResult((status) -> enqueue("dropped"));
		joined.end(TransactionSynchronization.STATUS_ROLLED_BACK);
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	private void enqueue(String id) {
		this.client.enqueue(Task.of("mail", id), TaskOptions.of((o) -> o.taskId(id)));
	}

	private TransactionTemplate requiresNew() {
		return this.database.transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
	}

}
