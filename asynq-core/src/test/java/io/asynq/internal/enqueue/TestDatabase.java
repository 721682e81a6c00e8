package io.asynq.internal.enqueue;

import java.util.UUID;
import java.util.function.Function;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A database in memory with one table and real transactions.
 */
final class TestDatabase {

	final DataSourceTransactionManager transactions;

	private final JdbcTemplate jdbc;

	TestDatabase() {
		this(DataSourceTransactionManager::new);
	}

	TestDatabase(Function<DataSource, DataSourceTransactionManager> transactions) {
		JdbcDataSource source = new JdbcDataSource();
		source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
		this.jdbc = new JdbcTemplate(source);
		this.jdbc.execute("create table orders (id int primary key)");
		this.transactions = transactions.apply(source);
	}

	void insert(int id) {
		this.jdbc.update("insert into orders values (?)", id);
	}

	int orders() {
		return this.jdbc.queryForObject("select count(*) from orders", Integer.class);
	}

	TransactionTemplate transaction() {
		return new TransactionTemplate(this.transactions);
	}

	TransactionTemplate transaction(int propagation) {
		TransactionTemplate template = transaction();
		template.setPropagationBehavior(propagation);
		return template;
	}

	TransactionTemplate nested() {
		return transaction(TransactionDefinition.PROPAGATION_NESTED);
	}

}
