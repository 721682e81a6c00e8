package io.asynq.internal.enqueue;

import java.util.ArrayList;
import java.util.List;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * Takes part in a transaction that others begin and end, as Spring does in one of JTA.
 */
final class JoinedTransactions extends AbstractPlatformTransactionManager {

	private final List<TransactionSynchronization> hearing = new ArrayList<>();

	/** Ends the transaction as others would. */
	void end(int status) {
		invokeAfterCompletion(this.hearing, status);
		this.hearing.clear();
	}

	@Override
	protected Object doGetTransaction() {
		return this;
	}

	@Override
	protected boolean isExistingTransaction(Object transaction) {
		return true;
	}

	@Override
	protected void registerAfterCompletionWithExistingTransaction(Object transaction,
			List<TransactionSynchronization> synchronizations) {
		this.hearing.addAll(synchronizations);
	}

	@Override
	protected void doSetRollbackOnly(DefaultTransactionStatus status) {
	}

	@Override
	protected void doBegin(Object transaction, TransactionDefinition definition) {
		throw new IllegalStateException("Others begin it");
	}

	@Override
	protected void doCommit(DefaultTransactionStatus status) {
		throw new IllegalStateException("Others commit it");
	}

	@Override
	protected void doRollback(DefaultTransactionStatus status) {
		throw new IllegalStateException("Others roll it back");
	}

}
