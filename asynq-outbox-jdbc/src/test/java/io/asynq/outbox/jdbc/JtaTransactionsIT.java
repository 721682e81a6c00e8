package io.asynq.outbox.jdbc;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;

import com.arjuna.ats.arjuna.common.arjPropertyManager;
import io.asynq.AsynqClient;
import io.asynq.AsynqException;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.RedisState;
import io.asynq.test.RedisExtension;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tasks in transactions of JTA, with Narayana and Spring's manager on top of it.
 */
@ExtendWith(RedisExtension.class)
@Timeout(120)
class JtaTransactionsIT {

	@TempDir
	private static Path log;

	private final TransactionManager jta = com.arjuna.ats.jta.TransactionManager.transactionManager();

	private final JtaTransactionManager manager = new JtaTransactionManager(this.jta);

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final AsynqClient client;

	JtaTransactionsIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
		RedisBroker broker = new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
		this.client = AsynqClient.create(broker,
				ClientOptions.builder().clock(Clock.systemUTC()).afterCommit(true).build());
		this.manager.afterPropertiesSet();
	}

	@BeforeAll
	static void keepTheLogOfTransactionsElsewhere() {
		arjPropertyManager.getObjectStoreEnvironmentBean().setObjectStoreDir(log.toString());
	}

	@Test
	void taskIsSentWhenTheTransactionHasCommitted() {
		transaction().executeWithoutResult((status) -> {
			assertThat(enqueue("t1")).isEqualTo(TaskState.DEFERRED);
			assertThat(this.state.pending("default")).isEmpty();
		});
		assertThat(this.state.pending("default")).containsExactly("t1");
	}

	@Test
	void rollBackSendsNothing() {
		transaction().executeWithoutResult((status) -> {
			enqueue("t1");
			status.setRollbackOnly();
		});
		assertThat(this.state.pending("default")).isEmpty();
	}

	@Test
	void resourceThatDoesNotCommitKeepsTheTaskBack() {
		assertThatExceptionOfType(UnexpectedRollbackException.class)
			.isThrownBy(() -> transaction().executeWithoutResult((status) -> {
				enlist(refusing());
				enqueue("t1");
			}));
		assertThat(this.state.pending("default")).isEmpty();
	}

	@Test
	void transactionInsideHasTasksOfItsOwn() {
		TransactionTemplate inside = transaction();
		inside.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		transaction().executeWithoutResult((outside) -> {
			enqueue("outside");
			inside.executeWithoutResult((status) -> enqueue("inside"));
			assertThat(this.state.pending("default")).containsExactly("inside");
			outside.setRollbackOnly();
		});
		assertThat(this.state.pending("default")).containsExactly("inside");
	}

	@Test
	void transactionThatWasBegunWithoutSpringIsWaitedForWhereSpringTakesPart() throws Exception {
		this.jta.begin();
		transaction().executeWithoutResult((status) -> enqueue("t1"));
		assertThat(this.state.pending("default")).isEmpty();
		this.jta.commit();
		assertThat(this.state.pending("default")).containsExactly("t1");
		this.jta.begin();
		transaction().executeWithoutResult((status) -> enqueue("t2"));
		this.jta.rollback();
		assertThat(this.state.pending("default")).containsExactly("t1");
	}

	@Test
	void newTransactionBesideOneThatWasBegunWithoutSpringHasTasksOfItsOwn() throws Exception {
		TransactionTemplate inside = transaction();
		inside.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.jta.begin();
		transaction().executeWithoutResult((status) -> enqueue("outside"));
		inside.executeWithoutResult((status) -> enqueue("inside"));
		assertThat(this.state.pending("default")).containsExactly("inside");
		this.jta.rollback();
		assertThat(this.state.pending("default")).containsExactly("inside");
	}

	@Test
	void transactionThatAnotherThreadEndsLeavesNothingBehindInThatWhichHasEnqueued() throws Exception {
		this.jta.begin();
		transaction().executeWithoutResult((status) -> enqueue("t1"));
		Transaction begun = this.jta.suspend();
		CompletableFuture.runAsync(() -> commit(begun)).get(60, TimeUnit.SECONDS);
		assertThat(this.state.pending("default")).containsExactly("t1");
		transaction().executeWithoutResult((status) -> enqueue("t2"));
		assertThat(this.state.pending("default")).containsExactly("t1", "t2");
	}

	@Test
	void outboxRefusesATransactionThatItsDataSourceHasNoPartIn() {
		TransactionTemplate inside = transaction();
		inside.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		try (OutboxFixture outbox = new OutboxFixture(this.factory, H2OutboxIT.source())) {
			transaction().executeWithoutResult((outside) -> {
				assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> outbox.enqueue("t1"))
					.withMessageContaining("t1")
					.withMessageContaining("not begun by a transaction manager that is a bean");
				TransactionOwner.watch("jta", this.manager);
				outbox.jdbc.update("INSERT INTO orders VALUES (1)");
				assertThatExceptionOfType(AsynqException.class).as("on a connection that commits by itself")
					.isThrownBy(() -> outbox.enqueue("t2"))
					.withMessageContaining("cannot be written");
				inside.executeWithoutResult((status) -> assertThatExceptionOfType(AsynqException.class)
					.isThrownBy(() -> outbox.enqueue("t3"))
					.withMessageContaining("'jta' is not one of the outbox's data source"));
			});
			assertThat(outbox.waiting()).isEmpty();
		}
		assertThat(this.state.pending("default")).isEmpty();
	}

	private TransactionTemplate transaction() {
		return new TransactionTemplate(this.manager);
	}

	private TaskState enqueue(String id) {
		return this.client.enqueue(Task.of("mail", "{}"), TaskOptions.of((options) -> options.taskId(id))).state();
	}

	private void commit(Transaction begun) {
		try {
			this.jta.resume(begun);
			this.jta.commit();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void enlist(XAResource resource) {
		try {
			this.jta.getTransaction().enlistResource(resource);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Such as a database whose deferred constraint is violated. */
	private static XAResource refusing() {
		return (XAResource) Proxy.newProxyInstance(XAResource.class.getClassLoader(),
				new Class<?>[] { XAResource.class }, (proxy, method, args) -> switch (method.getName()) {
					case "prepare", "commit" -> throw new XAException(XAException.XA_RBINTEGRITY);
					case "isSameRM", "setTransactionTimeout", "equals" -> false;
					case "getTransactionTimeout", "hashCode" -> 0;
					case "toString" -> "refusing";
					default -> null;
				});
	}

}
