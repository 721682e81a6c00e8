package io.asynq.outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import javax.sql.DataSource;

import ch.qos.logback.classic.Level;
import io.asynq.AsynqClient;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.internal.enqueue.TaskOutbox;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.text.LogCapture;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.micrometer.core.instrument.MeterRegistry;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.event.TransactionalEventListenerFactory;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * The outbox in an application.
 */
@ExtendWith(RedisExtension.class)
@Timeout(120)
class AsynqOutboxAutoConfigurationIT {

	private final RedisState state;

	private final TestRedis redis;

	AsynqOutboxAutoConfigurationIT(RedisConnectionFactory factory, TestRedis redis) {
		this.state = new RedisState(factory);
		this.redis = redis;
	}

	@Test
	void taskOfCommittedTransactionIsSentAtOnceByTheRelay() {
		try (ConfigurableApplicationContext context = start("asynq.outbox.poll-interval=1h")) {
			transaction(context)
				.executeWithoutResult((status) -> assertThat(enqueue(context, "t1")).isEqualTo(TaskState.DEFERRED));
			await().untilAsserted(() -> assertThat(this.state.pending("default")).containsExactly("t1"));
			transaction(context).executeWithoutResult((status) -> {
				enqueue(context, "t2");
				status.setRollbackOnly();
			});
			transaction(context).executeWithoutResult((status) -> enqueue(context, "t3"));
			await().untilAsserted(() -> assertThat(this.state.pending("default")).containsExactly("t1", "t3"));
			await().untilAsserted(() -> assertThat(rows(context)).isZero());
		}
	}

	@Test
	void taskOfListenerThatHearsOfTheCommitIsSentAtOnce() {
		try (ConfigurableApplicationContext context = start("asynq.outbox.poll-interval=1h")) {
			transaction(context).executeWithoutResult((status) -> {
				context.publishEvent(new Placed("t2"));
				assertThat(enqueue(context, "t1")).isEqualTo(TaskState.DEFERRED);
			});
			assertThat(this.state.pending("default")).contains("t2");
			await()
				.untilAsserted(() -> assertThat(this.state.pending("default")).containsExactlyInAnyOrder("t1", "t2"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "transactionManager", "made", "proxied", "lazy" })
	void managerThatIsABeanIsTheOutboxsHoweverItWasMade(String manager) {
		try (ConfigurableApplicationContext context = start(ManyManagers.class)) {
			new TransactionTemplate(context.getBean(manager, PlatformTransactionManager.class))
				.executeWithoutResult((status) -> assertThat(enqueue(context, "t1")).isEqualTo(TaskState.DEFERRED));
			await().untilAsserted(() -> assertThat(this.state.pending("default")).containsExactly("t1"));
			assertThat(context.getBean(Reactive.class).getTransactionExecutionListeners()).isEmpty();
		}
	}

	@Test
	void managerOfAParentContextIsTheOutboxsToo() {
		try (ConfigurableApplicationContext parent = new SpringApplicationBuilder(OnlyDatabase.class)
			.properties("spring.main.banner-mode=off")
			.run(); ConfigurableApplicationContext context = builder(WithoutDatabase.class).parent(parent).run()) {
			transaction(parent)
				.executeWithoutResult((status) -> assertThat(enqueue(context, "t1")).isEqualTo(TaskState.DEFERRED));
			await().untilAsserted(() -> assertThat(this.state.pending("default")).containsExactly("t1"));
		}
	}

	@Test
	void missingTableStopsTheStartAndNamesTheScript() {
		Throwable failure = catchThrowable(() -> start("asynq.outbox.jdbc.initialize-schema=never").close());
		OutboxTableException cause = cause(failure);
		FailureAnalysis analysis = new OutboxTableFailureAnalyzer().analyze(failure);
		assertThat(analysis.getDescription()).startsWith("The table asynq_outbox cannot be used: ")
			.contains("classpath:io/asynq/outbox/jdbc/schema-h2.sql");
		assertThat(analysis.getAction()).contains(cause.script(), "asynq.outbox.jdbc.initialize-schema");
	}

	@Test
	void switchedOffTasksWaitInMemoryAndNeedNoTable() {
		try (ConfigurableApplicationContext context = start("asynq.outbox.enabled=false")) {
			assertThat(context.getBeanProvider(TaskOutbox.class).getIfAvailable()).isNull();
			assertThat(context.containsBean("asynqOutboxHealthContributor")).isFalse();
			transaction(context).executeWithoutResult((status) -> enqueue(context, "t1"));
			this.state.assertPending("default", "t1");
		}
	}

	@Test
	void metersAndHealthTellHowFullItIs() {
		this.state.redis().opsForValue().set("asynq:{default}:pending", "no list");
		try (ConfigurableApplicationContext context = start("asynq.outbox.poll-interval=50ms")) {
			transaction(context).executeWithoutResult((status) -> enqueue(context, "t1"));
			RelayCounters counters = context.getBean(RelayCounters.class);
			await().untilAsserted(() -> assertThat(context.getBean(JdbcTemplate.class)
				.queryForObject("SELECT COUNT(set_aside_at) FROM asynq_outbox", Long.class)).isEqualTo(1));
			this.state.redis().delete("asynq:{default}:pending");
			transaction(context).executeWithoutResult((status) -> enqueue(context, "t2"));
			await().untilAsserted(() -> assertThat(counters.allSent()).isEqualTo(1));
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			// The relay counts from time to time as well
			await().untilAsserted(() -> {
				counters.numbers(OutboxRelay.DATABASE, context.getBean(OutboxTable.class).numbers());
				assertThat(meters.get("asynq.outbox.set.aside").gauge().value()).isEqualTo(1);
				assertThat(meters.get("asynq.outbox.waiting").gauge().value()).isZero();
				assertThat(meters.get("asynq.outbox.oldest.age").timeGauge().value()).isZero();
			});
			assertThat(meters.get("asynq.outbox.sent").functionCounter().count()).isEqualTo(1);
			assertThat(meters.get("asynq.outbox.failed").functionCounter().count()).isZero();
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("waiting", 0L).containsEntry("setAside", 1L);
		}
	}

	@Test
	void databaseThatIsAwayIsOneLineAndDownUntilItIsBack() {
		// In this order, because the start sets up the logging
		try (ConfigurableApplicationContext context = start("asynq.outbox.poll-interval=10ms");
				LogCapture log = LogCapture.of(Troubles.class, Level.INFO)) {
			context.getBean(Breakable.class).broken.set(true);
			RelayCounters counters = context.getBean(RelayCounters.class);
			await().untilAsserted(() -> assertThat(counters.allFailed()).isGreaterThanOrEqualTo(3));
			assertThat(log.lines(Level.WARN)).singleElement()
				.satisfies((line) -> assertThat(line.getFormattedMessage()).contains("database", "broken on purpose"));
			assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
			assertThat(health(context).getDetails().get("database").toString()).contains("broken on purpose");
			assertThat(context.getBean(MeterRegistry.class).get("asynq.outbox.waiting").gauge().value()).isNaN();
			context.getBean(Breakable.class).broken.set(false);
			await().untilAsserted(() -> assertThat(health(context).getStatus()).isEqualTo(Status.UP));
			await().untilAsserted(() -> assertThat(log.lines(Level.INFO)).singleElement()
				.satisfies((line) -> assertThat(line.getFormattedMessage()).contains("works again")));
			transaction(context).executeWithoutResult((status) -> enqueue(context, "t1"));
			await().untilAsserted(() -> assertThat(this.state.pending("default")).containsExactly("t1"));
		}
	}

	@Test
	void redisThatIsAwayIsOneLineAndNothingIsLost() {
		TestRedis own = TestRedis.startOwn();
		int port = own.port();
		try (ConfigurableApplicationContext context = start("asynq.outbox.poll-interval=10ms",
				"spring.data.redis.port=" + port); LogCapture log = LogCapture.of(Troubles.class, Level.INFO)) {
			own.stop();
			for (String queue : new String[] { "a", "b", "c" }) {
				transaction(context).executeWithoutResult((status) -> context.getBean(AsynqClient.class)
					.enqueue(Task.of("mail", "{}"), TaskOptions.of((o) -> o.queue(queue).taskId("t-" + queue))));
			}
			RelayCounters counters = context.getBean(RelayCounters.class);
			await().untilAsserted(() -> assertThat(counters.allFailed()).isGreaterThanOrEqualTo(6));
			assertThat(log.lines(Level.WARN)).hasSize(1);
			assertThat(rows(context)).isEqualTo(3);
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			assertThat(health(context).getDetails()).containsKey("failingQueues");
			own = TestRedis.startOwn(port);
			await().untilAsserted(() -> assertThat(rows(context)).isZero());
			await().untilAsserted(() -> assertThat(counters.allSent()).isEqualTo(3));
			await().untilAsserted(() -> assertThat(log.lines(Level.INFO)).hasSize(1));
		}
		finally {
			own.stop();
		}
	}

	private ConfigurableApplicationContext start(String... properties) {
		return start(Application.class, properties);
	}

	private ConfigurableApplicationContext start(Class<?> application, String... properties) {
		return builder(application)
			.run(Stream.of(properties).map((property) -> "--" + property).toArray(String[]::new));
	}

	private SpringApplicationBuilder builder(Class<?> application) {
		return new SpringApplicationBuilder(application).properties("spring.data.redis.host=" + this.redis.host(),
				"spring.data.redis.port=" + this.redis.port(), "spring.data.redis.timeout=30s",
				"asynq.client.after-commit=true", "asynq.server.enabled=false", "spring.main.banner-mode=off");
	}

	private static OutboxTableException cause(Throwable failure) {
		Throwable cause = failure;
		while (cause != null && !(cause instanceof OutboxTableException)) {
			cause = cause.getCause();
		}
		assertThat(cause).isNotNull();
		return (OutboxTableException) cause;
	}

	private static TaskState enqueue(ConfigurableApplicationContext context, String id) {
		return context.getBean(AsynqClient.class)
			.enqueue(Task.of("mail", "{}"), TaskOptions.of((o) -> o.taskId(id)))
			.state();
	}

	private static TransactionTemplate transaction(ConfigurableApplicationContext context) {
		return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
	}

	private static Health health(ConfigurableApplicationContext context) {
		return context.getBean("asynqOutboxHealthContributor", HealthIndicator.class).health();
	}

	private static long rows(ConfigurableApplicationContext context) {
		return context.getBean(JdbcTemplate.class).queryForObject("SELECT COUNT(*) FROM asynq_outbox", Long.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class OnlyDatabase {

		@Bean
		Breakable dataSource() {
			JdbcDataSource source = new JdbcDataSource();
			source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
			return new Breakable(source);
		}

		@Bean
		JdbcTransactionManager transactionManager(DataSource source) {
			return new JdbcTransactionManager(source);
		}

		@Bean
		JdbcTemplate jdbcTemplate(DataSource source) {
			return new JdbcTemplate(source);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(
			exclude = { HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class })
	static class WithoutDatabase {

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ OnlyDatabase.class, WithoutDatabase.class })
	static class Application {

		@Bean
		static TransactionalEventListenerFactory transactionalEventListeners() {
			return new TransactionalEventListenerFactory();
		}

		@Bean
		AfterPlacing afterPlacing(ConfigurableApplicationContext context) {
			return new AfterPlacing(context);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	static class ManyManagers {

		@Bean
		FactoryBean<JdbcTransactionManager> made(DataSource source) {
			return new FactoryBean<>() {

				@Override
				public JdbcTransactionManager getObject() {
					return new JdbcTransactionManager(source);
				}

				@Override
				public Class<?> getObjectType() {
					return JdbcTransactionManager.class;
				}

			};
		}

		@Bean
		PlatformTransactionManager proxied(DataSource source) {
			ProxyFactory proxy = new ProxyFactory(new Class<?>[] { PlatformTransactionManager.class });
			proxy.setTarget(new JdbcTransactionManager(source));
			return (PlatformTransactionManager) proxy.getProxy();
		}

		@Bean
		@Lazy
		PlatformTransactionManager lazy(DataSource source) {
			return new JdbcTransactionManager(new TransactionAwareDataSourceProxy(source));
		}

		@Bean
		ConfigurableTransactionManager reactive() {
			return new Reactive();
		}

	}

	/** A manager that can tell, but whose transactions are not those of a thread. */
	private static final class Reactive implements ConfigurableTransactionManager {

		private Collection<TransactionExecutionListener> listeners = new ArrayList<>();

		@Override
		public void setTransactionExecutionListeners(Collection<TransactionExecutionListener> listeners) {
			this.listeners = listeners;
		}

		@Override
		public Collection<TransactionExecutionListener> getTransactionExecutionListeners() {
			return this.listeners;
		}

		@Override
		public void addListener(TransactionExecutionListener listener) {
			this.listeners.add(listener);
		}

	}

	private record Placed(String next) {
	}

	private record AfterPlacing(ConfigurableApplicationContext context) {

		@TransactionalEventListener
		void enqueueNext(Placed placed) {
			assertThat(enqueue(this.context, placed.next())).isEqualTo(TaskState.PENDING);
		}

	}

	/**
	 * A database that can be away.
	 */
	static final class Breakable extends DelegatingDataSource {

		final AtomicBoolean broken = new AtomicBoolean();

		Breakable(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			if (this.broken.get()) {
				throw new SQLException("broken on purpose");
			}
			return super.getConnection();
		}

	}

}
