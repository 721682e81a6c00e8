package io.asynq.outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.asynq.AsynqException;
import io.asynq.test.RedisExtension;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static io.asynq.outbox.jdbc.OutboxFixture.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Transactions of several managers, one within another.
 */
@ExtendWith(RedisExtension.class)
@Timeout(120)
class OtherManagersIT {

	/** As with {@code hikari.auto-commit=false}: each statement begins a transaction. */
	private final OutboxFixture outbox;

	OtherManagersIT(RedisConnectionFactory factory) {
		this.outbox = new OutboxFixture(factory, new WithoutAutoCommit(H2OutboxIT.source()));
	}

	@AfterEach
	void close() {
		this.outbox.close();
	}

	static Stream<Arguments> othersAndOutcomes() {
		return others().flatMap((other) -> Stream.of(Arguments.of(other, true, true), Arguments.of(other, true, false),
				Arguments.of(other, false, true), Arguments.of(other, false, false)));
	}

	static Stream<PlatformTransactionManager> others() {
		JdbcTransactionManager watched = new JdbcTransactionManager(H2OutboxIT.source());
		TransactionOwner.watch("otherTransactions", watched);
		return Stream.of(new OtherTransactions(), watched,
				new JdbcTransactionManager(new LazyConnectionDataSourceProxy(H2OutboxIT.source())));
	}

	@ParameterizedTest
	@MethodSource("othersAndOutcomes")
	void taskOfAnInnerTransactionOfAnotherManagerIsRefusedHoweverTheyEnd(PlatformTransactionManager other,
			boolean innerCommits, boolean outerCommits) {
		this.outbox.transaction().executeWithoutResult((outer) -> {
			order(1);
			new TransactionTemplate(other).executeWithoutResult((inner) -> {
				assertRefused(() -> this.outbox.enqueue("t1"));
				end(inner, innerCommits);
			});
			this.outbox.enqueue("t2");
			end(outer, outerCommits);
		});
		assertThat(orders()).isEqualTo(outerCommits ? 1 : 0);
		this.outbox.relay();
		this.outbox.state.assertPending(QUEUE, outerCommits ? new String[] { "t2" } : new String[0]);
	}

	@ParameterizedTest
	@MethodSource("others")
	void taskAfterTheInnerCommitOfAnotherManagerCommitsNothingOfTheOuterTransaction(PlatformTransactionManager other) {
		this.outbox.transaction().executeWithoutResult((outer) -> {
			order(1);
			new TransactionTemplate(other)
				.executeWithoutResult((inner) -> afterCommit(() -> assertRefused(() -> this.outbox.enqueue("t1"))));
			outer.setRollbackOnly();
		});
		assertThat(orders()).isZero();
		assertThat(this.outbox.waiting()).isEmpty();
	}

	/** The query binds a connection to the thread, which nobody will commit. */
	@ParameterizedTest
	@MethodSource("others")
	void queryInATransactionOfAnotherManagerDoesNotMakeItTheOutboxs(PlatformTransactionManager other) {
		new TransactionTemplate(other).executeWithoutResult((status) -> {
			assertThat(orders()).isZero();
			assertRefused(() -> this.outbox.enqueue("t1"));
			afterCommit(() -> assertRefused(() -> this.outbox.enqueue("t2")));
		});
		assertThat(this.outbox.waiting()).isEmpty();
	}

	@Test
	void managerThatIsNoBeanIsRefused() {
		TransactionTemplate byHand = new TransactionTemplate(new JdbcTransactionManager(this.outbox.source));
		byHand.setName("orders by hand");
		byHand.executeWithoutResult((status) -> {
			order(1);
			assertRefused(() -> this.outbox.enqueue("t1"), "orders by hand",
					"not begun by a transaction manager that is a bean");
		});
		assertThat(orders()).isEqualTo(1);
		assertThat(this.outbox.waiting()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("others")
	void innerTransactionOfTheOutboxBelongsToItself(PlatformTransactionManager other) {
		new TransactionTemplate(other).executeWithoutResult((outer) -> {
			assertThat(orders()).isZero();
			this.outbox.transaction().executeWithoutResult((inner) -> {
				this.outbox.enqueue("t1");
				new TransactionTemplate(other).executeWithoutResult(
						(innermost) -> this.outbox.transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
							.executeWithoutResult((own) -> this.outbox.enqueue("t2")));
				this.outbox.enqueue("t3");
				inner.setRollbackOnly();
			});
			outer.setRollbackOnly();
		});
		assertThat(this.outbox.waiting()).containsExactly("t2");
	}

	@ParameterizedTest
	@ValueSource(ints = { TransactionDefinition.PROPAGATION_SUPPORTS, TransactionDefinition.PROPAGATION_NOT_SUPPORTED,
			TransactionDefinition.PROPAGATION_NEVER })
	void otherManagerThatBeginsNothingLeavesTheOutboxsTransactionAsItIs(int propagation) {
		TransactionTemplate nothing = new TransactionTemplate(new OtherTransactions());
		nothing.setPropagationBehavior(propagation);
		this.outbox.transaction()
			.executeWithoutResult(
					(outer) -> nothing.executeWithoutResult((status) -> this.outbox.enqueue("t" + propagation)));
		assertThat(this.outbox.waiting()).containsExactly("t" + propagation);
	}

	@Test
	void savepointsAndJoinedTransactionsAreThoseOfTheirManager() {
		this.outbox.transaction().executeWithoutResult((outer) -> {
			this.outbox.transaction(TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult((nested) -> {
				this.outbox.enqueue("t1");
				nested.setRollbackOnly();
			});
			this.outbox.transaction(TransactionDefinition.PROPAGATION_NESTED)
				.executeWithoutResult((nested) -> this.outbox.enqueue("t2"));
			this.outbox.transaction().executeWithoutResult((joined) -> this.outbox.enqueue("t3"));
		});
		assertThat(this.outbox.waiting()).containsExactly("t2", "t3");
	}

	@Test
	void taskAfterTheOuterCommitIsCommittedThoughAnotherManagersTransactionCameBetween() {
		this.outbox.transaction().executeWithoutResult((outer) -> {
			new TransactionTemplate(new OtherTransactions()).executeWithoutResult((inner) -> {
			});
			afterCommit(() -> {
				this.outbox.enqueue("t1");
				new TransactionTemplate(new OtherTransactions()).executeWithoutResult((inner) -> {
				});
			});
		});
		assertThat(this.outbox.waiting()).containsExactly("t1");
		assertThat(this.outbox.commits).hasSize(1);
	}

	private void order(int id) {
		this.outbox.jdbc.update("INSERT INTO orders VALUES (?)", id);
	}

	private long orders() {
		return this.outbox.jdbc.queryForObject("SELECT COUNT(*) FROM orders", Long.class);
	}

	private static void end(TransactionStatus status, boolean commits) {
		if (!commits) {
			status.setRollbackOnly();
		}
	}

	private static void assertRefused(ThrowingCallable call, String... names) {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(call)
			.withMessageContaining("cannot be written to the outbox")
			.satisfies((refusal) -> List.of(names).forEach((name) -> assertThat(refusal).hasMessageContaining(name)));
	}

	private static void afterCommit(Runnable action) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				action.run();
			}

		});
	}

	/**
	 * A pool whose connections begin a transaction with every statement.
	 */
	static final class WithoutAutoCommit extends DelegatingDataSource {

		WithoutAutoCommit(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			connection.setAutoCommit(false);
			return connection;
		}

	}

}
