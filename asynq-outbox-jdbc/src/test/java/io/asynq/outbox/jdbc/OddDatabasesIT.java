package io.asynq.outbox.jdbc;

import java.sql.SQLSyntaxErrorException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static io.asynq.outbox.jdbc.OutboxFixture.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Databases and pools that are not as others.
 */
@ExtendWith(RedisExtension.class)
@Timeout(120)
class OddDatabasesIT {

	private final RedisConnectionFactory factory;

	OddDatabasesIT(RedisConnectionFactory factory) {
		this.factory = factory;
	}

	@Test
	void databaseThatCannotSkipLockedRowsSendsEachOnce() {
		try (OutboxFixture outbox = new OutboxFixture(this.factory, withoutSkipping())) {
			assertThat(outbox.table.skipsLocked()).isFalse();
			outbox.commit("t1", "t2");
			outbox.commit("t3");
			outbox.relay();
			outbox.state.assertPending(QUEUE, "t1", "t2", "t3");
			assertThat(outbox.waiting()).isEmpty();
		}
	}

	@Test
	void relayThatCannotSkipLockedRowsWaitsForTheOtherOne() {
		try (OutboxFixture outbox = new OutboxFixture(this.factory, withoutSkipping())) {
			outbox.commit("t1");
			outbox.commit("t2");
			CompletableFuture<Batch> waiting = outbox.readCommitted().execute((first) -> {
				List<OutboxRow> held = outbox.table.lock(outbox.table.waiting(QUEUE, 1));
				CompletableFuture<Batch> second = CompletableFuture.supplyAsync(outbox::relay);
				outbox.table.delete(held.stream().map(OutboxRow::id).toList());
				return second;
			});
			assertThat(waiting.join().answered()).extracting((row) -> row.task().id()).containsExactly("t2");
			outbox.state.assertPending(QUEUE, "t2");
		}
	}

	/** Without a pool that switches it on, nothing else would commit such a row. */
	@Test
	void taskOfListenerBetweenCommitAndEndIsCommittedByItself() {
		try (OutboxFixture outbox = new OutboxFixture(this.factory,
				new OtherManagersIT.WithoutAutoCommit(H2OutboxIT.source()))) {
			outbox.transaction().executeWithoutResult((status) -> afterCommit(() -> outbox.enqueue("t1")));
			outbox.transaction().executeWithoutResult((status) -> {
				outbox.enqueue("t2");
				afterCommit(() -> outbox.enqueue("t3"));
			});
			assertThat(outbox.waiting()).containsExactly("t1", "t2", "t3");
			assertThat(outbox.commits).hasSize(2);
			outbox.relay();
			outbox.state.assertPending(QUEUE, "t1", "t2", "t3");
		}
	}

	private static void afterCommit(Runnable action) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				action.run();
			}

		});
	}

	/** A database that does not know the clause, like MySQL 5.7. */
	private static DataSource withoutSkipping() {
		return new RefusingDataSource(H2OutboxIT.source(), (sql) -> sql.contains("SKIP LOCKED")
				? new SQLSyntaxErrorException("You have an error in your SQL syntax", "42000", 1064) : null);
	}

}
