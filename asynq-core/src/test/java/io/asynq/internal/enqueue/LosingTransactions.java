package io.asynq.internal.enqueue;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Transactions whose connection is lost when they commit.
 */
final class LosingTransactions extends DataSourceTransactionManager {

	LosingTransactions(DataSource source) {
		super(source);
	}

	@Override
	protected void doCommit(DefaultTransactionStatus status) {
		throw new Lost();
	}

	static final class Lost extends TransactionException {

		Lost() {
			super("connection lost");
		}

	}

}
