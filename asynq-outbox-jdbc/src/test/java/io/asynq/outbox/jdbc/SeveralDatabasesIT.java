package io.asynq.outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.asynq.AsynqClient;
import io.asynq.AsynqException;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.internal.redis.RedisState;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A database for each tenant, behind a data source that chooses.
 */
@Tag("slow")
@ExtendWith(RedisExtension.class)
@Timeout(120)
class SeveralDatabasesIT {

	private static final ThreadLocal<String> tenant = new ThreadLocal<>();

	private final Map<String, Tenant> tenants = Stream.of("a", "b", "main", "late")
		.collect(Collectors.toMap((name) -> name, (name) -> new Tenant()));

	private final RedisState state;

	private final TestRedis redis;

	private ConfigurableApplicationContext context;

	SeveralDatabasesIT(RedisConnectionFactory factory, TestRedis redis) {
		this.state = new RedisState(factory);
		this.redis = redis;
	}

	@AfterEach
	void close() {
		tenant.remove();
		this.context.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void rowsOfEachTenantAreSentAlsoThoseThatOthersHaveLeft(boolean wrapped) {
		DataSource routing = new Routing(targets("a", "b"), this.tenants.get("main"));
		start(wrapped ? new LazyConnectionDataSourceProxy(routing) : routing, null);
		OutboxRelay relay = this.context.getBean(OutboxRelay.class);
		relay.stop();
		enqueue("a", "t1");
		enqueue("b", "t2");
		enqueue("nobody", "t3");
		relay.start();
		await()
			.untilAsserted(() -> assertThat(this.state.pending("default")).containsExactlyInAnyOrder("t1", "t2", "t3"));
		enqueue("b", "t4");
		await().untilAsserted(() -> assertThat(this.state.pending("default")).contains("t4"));
		this.tenants.values().forEach((database) -> assertThat(database.rows()).isZero());
	}

	@Test
	void tenantThatComesLaterIsFound() {
		Routing routing = new Routing(targets("a"), this.tenants.get("main"));
		start(routing, null);
		schema("late");
		routing.setTargetDataSources(targets("a", "late"));
		routing.afterPropertiesSet();
		enqueue("late", "t1");
		await().untilAsserted(() -> assertThat(this.state.pending("default")).containsExactly("t1"));
	}

	@Test
	void rowThatNobodyWouldReadIsRefused() {
		start(new Choosing(), null);
		schema("late");
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> enqueue("late", "t1"))
			.withMessageContaining("OutboxDataSources");
		enqueue("main", "t2");
		await().untilAsserted(() -> assertThat(this.state.pending("default")).containsExactly("t2"));
		assertThat(this.tenants.get("late").rows()).isZero();
	}

	@Test
	void databasesThatTheUserListsAreRead() {
		Map<String, DataSource> listed = new ConcurrentHashMap<>(Map.of("b", this.tenants.get("b")));
		start(new Choosing(), () -> listed);
		schema("late");
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> enqueue("late", "t1"));
		listed.put("late", this.tenants.get("late"));
		enqueue("late", "t2");
		enqueue("b", "t3");
		await().untilAsserted(() -> assertThat(this.state.pending("default")).containsExactlyInAnyOrder("t2", "t3"));
	}

	/** It has a copy of each row. */
	@Test
	void replicaAmongThemIsLeftAlone() {
		this.tenants.get("b").replica = true;
		start(new Routing(targets("b"), this.tenants.get("main")), null);
		enqueue("nobody", "t1");
		await().untilAsserted(() -> assertThat(this.state.pending("default")).containsExactly("t1"));
		await().untilAsserted(() -> assertThat(this.tenants.get("b").refused).isTrue());
		assertThat(health().getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void tenantWhoseDatabaseIsAwayHoldsUpNoOther() {
		this.tenants.get("a").away = true;
		start(new Routing(targets("a", "b"), this.tenants.get("main")), null);
		enqueue("b", "t1");
		await().untilAsserted(() -> assertThat(this.state.pending("default")).containsExactly("t1"));
		await().untilAsserted(() -> assertThat(health().getStatus()).isEqualTo(Status.DOWN));
		assertThat(health().getDetails()).containsKey("database a").doesNotContainKeys("database b");
		this.tenants.get("a").away = false;
		schema("a");
		await().untilAsserted(() -> assertThat(health().getStatus()).isEqualTo(Status.UP));
		enqueue("a", "t2");
		await().untilAsserted(() -> assertThat(this.state.pending("default")).containsExactly("t1", "t2"));
	}

	private void start(DataSource source, OutboxDataSources listed) {
		this.context = new SpringApplicationBuilder(Application.class)
			.properties("spring.data.redis.host=" + this.redis.host(), "spring.data.redis.port=" + this.redis.port(),
					"spring.data.redis.timeout=30s", "asynq.client.after-commit=true", "asynq.server.enabled=false",
					"asynq.outbox.poll-interval=50ms", "spring.main.banner-mode=off")
			.initializers((context) -> {
				context.getBeanFactory().registerSingleton("dataSource", source);
				if (listed != null) {
					context.getBeanFactory().registerSingleton("listed", listed);
				}
			})
			.run();
	}

	private void enqueue(String name, String id) {
		tenant.set(name);
		new TransactionTemplate(this.context.getBean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> this.context.getBean(AsynqClient.class)
				.enqueue(Task.of("mail", "{}"), TaskOptions.of((o) -> o.taskId(id))));
		tenant.remove();
	}

	private void schema(String name) {
		new OutboxSchema(this.tenants.get(name), this.context.getBean(AsynqOutboxProperties.class).jdbc())
			.initializeDatabase();
	}

	private Health health() {
		return this.context.getBean("asynqOutboxHealthContributor", HealthIndicator.class).health();
	}

	private Map<Object, Object> targets(String... names) {
		Map<Object, Object> targets = new LinkedHashMap<>();
		List.of(names).forEach((name) -> targets.put(name, this.tenants.get(name)));
		return targets;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(
			exclude = { HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class })
	static class Application {

		@Bean
		JdbcTransactionManager transactionManager(DataSource source) {
			return new JdbcTransactionManager(source);
		}

	}

	private static class Routing extends AbstractRoutingDataSource {

		Routing(Map<Object, Object> targets, DataSource fallback) {
			setTargetDataSources(targets);
			setDefaultTargetDataSource(fallback);
			afterPropertiesSet();
		}

		@Override
		protected Object determineCurrentLookupKey() {
			return tenant.get();
		}

	}

	/** Chooses among databases that Spring does not know. */
	private final class Choosing extends Routing {

		Choosing() {
			super(Map.of(), SeveralDatabasesIT.this.tenants.get("main"));
		}

		@Override
		protected DataSource determineTargetDataSource() {
			return SeveralDatabasesIT.this.tenants.getOrDefault(String.valueOf(tenant.get()),
					SeveralDatabasesIT.this.tenants.get("main"));
		}

	}

	private static final class Tenant extends DelegatingDataSource {

		private volatile boolean away;

		private volatile boolean replica;

		private volatile boolean refused;

		Tenant() {
			JdbcDataSource database = new JdbcDataSource();
			database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
			setTargetDataSource(new RefusingDataSource(database, this::refusal));
		}

		@Override
		public Connection getConnection() throws SQLException {
			if (this.away) {
				throw new SQLException("away", "08001");
			}
			return super.getConnection();
		}

		private SQLException refusal(String sql) {
			boolean writes = sql.startsWith("DELETE") || sql.startsWith("UPDATE") || sql.contains("FOR UPDATE");
			this.refused |= this.replica && writes;
			return (this.replica && writes)
					? new SQLException("cannot execute DELETE in a read-only transaction", "25006") : null;
		}

		long rows() {
			JdbcTemplate jdbc = new JdbcTemplate(this);
			return (jdbc.queryForObject(
					"SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'ASYNQ_OUTBOX'",
					Long.class) == 0) ? 0 : jdbc.queryForObject("SELECT COUNT(*) FROM asynq_outbox", Long.class);
		}

	}

}
