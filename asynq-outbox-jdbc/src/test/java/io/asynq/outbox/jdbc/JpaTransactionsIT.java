package io.asynq.outbox.jdbc;

import java.time.Clock;
import java.util.UUID;

import javax.sql.DataSource;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.RedisState;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Tasks and what an entity manager writes, with Hibernate and the transaction manager
 * that Spring Boot configures for it.
 */
@ExtendWith(RedisExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class JpaTransactionsIT {

	private final RedisState state;

	private final ConfigurableApplicationContext context;

	private final AsynqClient client;

	private final AsynqClient inMemory;

	private final EntityManager entities;

	private final TransactionTemplate transaction;

	JpaTransactionsIT(RedisConnectionFactory factory, TestRedis redis) {
		this.state = new RedisState(factory);
		this.context = new SpringApplicationBuilder(Application.class)
			.properties("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port(),
					"spring.data.redis.timeout=30s",
					"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
					"spring.jpa.open-in-view=false", "spring.jpa.defer-datasource-initialization=true",
					"asynq.client.after-commit=true", "asynq.server.enabled=false", "spring.main.banner-mode=off")
			.run();
		this.client = this.context.getBean(AsynqClient.class);
		this.inMemory = AsynqClient.create(this.context.getBean(RedisBroker.class),
				ClientOptions.builder().clock(Clock.systemUTC()).afterCommit(true).build());
		this.entities = SharedEntityManagerCreator
			.createSharedEntityManager(this.context.getBean(EntityManagerFactory.class));
		PlatformTransactionManager manager = this.context.getBean(PlatformTransactionManager.class);
		assertThat(manager).isInstanceOf(JpaTransactionManager.class);
		this.transaction = new TransactionTemplate(manager);
	}

	@BeforeEach
	void forget() {
		this.context.getBean(JdbcTemplate.class).update("DELETE FROM purchase");
	}

	@AfterAll
	void close() {
		this.context.close();
	}

	@Test
	void entityAndItsTaskCommitTogether() {
		this.transaction.executeWithoutResult((status) -> {
			this.entities.persist(new Purchase("p1"));
			assertThat(enqueue(this.client, "t1")).isEqualTo(TaskState.DEFERRED);
			assertThat(rows()).as("rows in this transaction").isEqualTo(1);
		});
		await().untilAsserted(() -> assertThat(this.state.pending("default")).containsExactly("t1"));
		await().until(() -> rows() == 0);
		assertThat(purchases()).isEqualTo(1);
	}

	@Test
	void entityAndItsTaskAreRolledBackTogether() {
		this.transaction.executeWithoutResult((status) -> {
			this.entities.persist(new Purchase("p1"));
			enqueue(this.client, "t1");
			status.setRollbackOnly();
		});
		assertThat(rows() + purchases()).isZero();
		assertThat(this.state.pending("default")).isEmpty();
	}

	/** Hibernate writes when the transaction commits, after the task's row. */
	@Test
	void entityThatCannotBeWrittenRollsItsTaskBack() {
		this.transaction.executeWithoutResult((status) -> this.entities.persist(new Purchase("p1")));
		assertThatThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
			this.entities.persist(new Purchase("p1"));
			enqueue(this.client, "t1");
			enqueue(this.inMemory, "t2");
		})).hasMessageContaining("PRIMARY_KEY");
		assertThat(rows()).isZero();
		assertThat(this.state.pending("default")).isEmpty();
	}

	/**
	 * The entity manager needs the listener, the outbox the table that comes after it.
	 */
	@Test
	void listenerOfEntitiesWritesToTheOutbox() {
		this.transaction.executeWithoutResult((status) -> {
			this.entities.persist(new Parcel("t1"));
			this.entities.flush();
			assertThat(rows()).isEqualTo(1);
			status.setRollbackOnly();
		});
		assertThat(rows()).isZero();
		this.transaction.executeWithoutResult((status) -> {
			this.entities.persist(new Parcel("t2"));
			this.entities.flush();
		});
		await().untilAsserted(() -> assertThat(this.state.pending("default")).containsExactly("t2"));
	}

	@Test
	void withoutOutboxTaskIsSentAfterTheCommitOnly() {
		this.transaction.executeWithoutResult((status) -> {
			this.entities.persist(new Purchase("p1"));
			assertThat(enqueue(this.inMemory, "t1")).isEqualTo(TaskState.DEFERRED);
			assertThat(rows()).isZero();
			assertThat(this.state.pending("default")).isEmpty();
		});
		assertThat(this.state.pending("default")).containsExactly("t1");
		this.transaction.executeWithoutResult((status) -> {
			this.entities.persist(new Purchase("p2"));
			enqueue(this.inMemory, "t2");
			status.setRollbackOnly();
		});
		assertThat(this.state.pending("default")).containsExactly("t1");
		assertThat(purchases()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void managerOfJdbcBesideThatOfJpaIsTheOutboxsToo(boolean commits) {
		TransactionTemplate jdbc = new TransactionTemplate(jdbcManager());
		jdbc.executeWithoutResult((status) -> {
			this.context.getBean(JdbcTemplate.class).update("INSERT INTO purchase VALUES ('p1')");
			assertThat(enqueue(this.client, "t1")).isEqualTo(TaskState.DEFERRED);
			if (!commits) {
				status.setRollbackOnly();
			}
		});
		this.transaction.executeWithoutResult((status) -> enqueue(this.client, "t2"));
		await().untilAsserted(() -> assertThat(this.state.pending("default"))
			.containsExactly(commits ? new String[] { "t1", "t2" } : new String[] { "t2" }));
		assertThat(purchases()).isEqualTo(commits ? 1 : 0);
	}

	/** Spring lets it use the connection, and its commit is that of both. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void managerOfJdbcWithinATransactionOfJpaWritesNothingThatIsNotTheirs(boolean outerCommits) {
		this.transaction.executeWithoutResult((outer) -> {
			this.entities.persist(new Purchase("p1"));
			enqueue(this.client, "t1");
			new TransactionTemplate(jdbcManager())
				.executeWithoutResult((inner) -> assertThatThrownBy(() -> enqueue(this.client, "t2"))
					.hasMessageContaining("jdbcTransactions"));
			if (!outerCommits) {
				outer.setRollbackOnly();
			}
		});
		await().until(() -> rows() == 0);
		assertThat(this.state.pending("default")).doesNotContain("t2");
	}

	@Test
	void taskAfterTheCommitIsRefusedBecauseItsConnectionCommitsByItself() {
		this.transaction.executeWithoutResult((status) -> {
			this.entities.persist(new Purchase("p1"));
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					assertThatThrownBy(() -> enqueue(JpaTransactionsIT.this.client, "t1"))
						.hasMessageContaining("has committed already");
				}

			});
		});
		assertThat(purchases()).isEqualTo(1);
		assertThat(rows()).isZero();
	}

	/** As a bean of the application. */
	private PlatformTransactionManager jdbcManager() {
		return (PlatformTransactionManager) this.context.getAutowireCapableBeanFactory()
			.initializeBean(new JdbcTransactionManager(this.context.getBean(DataSource.class)), "jdbcTransactions");
	}

	private static TaskState enqueue(AsynqClient client, String id) {
		return client.enqueue(Task.of("mail", "{}"), TaskOptions.of((o) -> o.taskId(id))).state();
	}

	private long rows() {
		return count("asynq_outbox");
	}

	private long purchases() {
		return count("purchase");
	}

	private long count(String table) {
		return this.context.getBean(JdbcTemplate.class).queryForObject("SELECT COUNT(*) FROM " + table, Long.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		HibernatePropertiesCustomizer settings(AsynqClient client) {
			return (properties) -> assertThat(client).isNotNull();
		}

	}

	@Entity(name = "Parcel")
	@EntityListeners(Announcing.class)
	static class Parcel {

		@Id
		private String id;

		protected Parcel() {
		}

		Parcel(String id) {
			this.id = id;
		}

	}

	record Announcing(AsynqClient client) {

		@PostPersist
		void announce(Parcel parcel) {
			enqueue(this.client, parcel.id);
		}

	}

	/** The id is the application's own, so it is written when the transaction commits. */
	@Entity(name = "Purchase")
	static class Purchase {

		@Id
		private String id;

		protected Purchase() {
		}

		Purchase(String id) {
			this.id = id;
		}

	}

}
