package io.asynq.outbox.jdbc;

import java.time.Clock;

import javax.sql.DataSource;

import io.asynq.Broker;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.OutboxReport;
import io.asynq.internal.enqueue.TaskOutbox;
import io.asynq.internal.event.TaskEvents;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.autoconfigure.init.OnDatabaseInitializationCondition;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

@AutoConfiguration(afterName = { "io.asynq.spring.boot.autoconfigure.AsynqAutoConfiguration",
		"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration" })
@ConditionalOnBean(Broker.class)
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnBooleanProperty(name = "asynq.outbox.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(TaskOutbox.class)
@EnableConfigurationProperties(AsynqOutboxProperties.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
public final class AsynqOutboxAutoConfiguration {

	/** Before all managers, so static. */
	@Bean
	static TransactionOwner.Watch asynqTransactionWatch() {
		return new TransactionOwner.Watch();
	}

	@Bean
	OutboxDatabases asynqOutboxDatabases(DataSource source, ObjectProvider<OutboxDataSources> listed) {
		return new OutboxDatabases(source, listed.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	@Conditional(OnSchemaCondition.class)
	OutboxSchema asynqOutboxSchema(OutboxDatabases databases, AsynqOutboxProperties properties) {
		return OutboxSchema.of(databases.byName().values(), properties.jdbc());
	}

	@Bean
	@DependsOnDatabaseInitialization
	OutboxTable asynqOutboxTable(DataSource source, OutboxDatabases databases, AsynqOutboxProperties properties) {
		databases.byName().forEach((name, database) -> check(name, database, databases.areSeveral(), properties));
		return new OutboxTable(source);
	}

	private static void check(String name, DataSource source, boolean amongSeveral, AsynqOutboxProperties properties) {
		try {
			new OutboxTable(source).check();
		}
		catch (BadSqlGrammarException ex) {
			throw new OutboxTableException(
					NestedExceptionUtils.getMostSpecificCause(ex).getMessage()
							+ (amongSeveral ? " (" + name + ")" : ""),
					String.join(", ", OutboxSchema.locations(source, properties.jdbc())), ex);
		}
		catch (DataAccessException ex) {
			// That one of several is away is told by its relay
			if (!amongSeveral) {
				throw ex;
			}
		}
	}

	@Bean
	RelayCounters asynqOutboxCounters() {
		return new RelayCounters();
	}

	@Bean
	OutboxRelay asynqOutboxRelay(OutboxDatabases databases, OutboxTable table, Broker broker, TaskEvents events,
			@Qualifier("asynqClock") Clock clock, RelayCounters counters, AsynqOutboxProperties properties) {
		return new OutboxRelay(databases, (name, source) -> relay(name, source, databases.areSeveral(),
				RedisBroker.of(broker), new OutboxReport(clock, events), clock, counters, properties));
	}

	private static DatabaseRelay relay(String name, DataSource source, boolean amongSeveral, RedisBroker broker,
			OutboxReport report, Clock clock, RelayCounters counters, AsynqOutboxProperties properties) {
		OutboxTable table = new OutboxTable(source);
		TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(source));
		// MySQL would otherwise lock the gaps between rows, where others insert theirs
		transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		Troubles queues = new Troubles(System::nanoTime);
		OutboxSender sender = new OutboxSender(broker.outbox(), report, queues, counters);
		RelayRound round = new RelayRound(table, transaction, sender, clock, properties.batchSize());
		return new DatabaseRelay(name, table, round, sender, new SentMarks(broker.outbox(), System::nanoTime), queues,
				counters, broker.servers()::isPartitioned, broker.servers()::masters, properties.pollInterval(),
				amongSeveral);
	}

	@Bean
	JdbcTaskOutbox asynqTaskOutbox(DataSource source, OutboxTable table, Broker broker,
			@Qualifier("asynqClock") Clock clock, OutboxRelay relay) {
		return new JdbcTaskOutbox(source, table, RedisBroker.of(broker).outbox(), clock, (connection) -> {
			DatabaseRelay reader = relay.of(connection);
			return (reader != null) ? reader::wake : null;
		});
	}

	/** A database whose schema is not to be created need not have a script. */
	static final class OnSchemaCondition extends OnDatabaseInitializationCondition {

		OnSchemaCondition() {
			super("Asynq Outbox", "asynq.outbox.jdbc.initialize-schema");
		}

	}

}
