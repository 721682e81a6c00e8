package io.asynq.internal.enqueue;

import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;

/**
 * Reactive transactions of nothing, which are counted.
 */
final class ReactiveTransactions extends AbstractReactiveTransactionManager {

	private final transient AtomicInteger begun;

	ReactiveTransactions(AtomicInteger begun) {
		this.begun = begun;
	}

	@Override
	protected Object doGetTransaction(TransactionSynchronizationManager synchronizations) {
		return this;
	}

	@Override
	protected Mono<Void> doBegin(TransactionSynchronizationManager synchronizations, Object transaction,
			TransactionDefinition definition) {
		return Mono.fromRunnable(this.begun::incrementAndGet);
	}

	@Override
	protected Mono<Void> doCommit(TransactionSynchronizationManager synchronizations,
			GenericReactiveTransaction status) {
		return Mono.empty();
	}

	@Override
	protected Mono<Void> doRollback(TransactionSynchronizationManager synchronizations,
			GenericReactiveTransaction status) {
		return Mono.empty();
	}

}
