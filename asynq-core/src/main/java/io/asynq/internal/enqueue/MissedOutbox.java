package io.asynq.internal.enqueue;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Warns, once per type, of tasks that a transaction sends before it commits, although
 * there is an outbox; not loaded where Spring's transactions are missing.
 */
final class MissedOutbox {

	private static final Logger logger = OneLineLogger.of(MissedOutbox.class);

	/** Types may be made up. */
	private static final int MOST_TYPES = 1000;

	private final Set<String> noted = ConcurrentHashMap.newKeySet();

	void sends(String type) {
		if (TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive()
				&& !TransactionSynchronizationManager.isCurrentTransactionReadOnly() && this.noted.size() < MOST_TYPES
				&& this.noted.add(type)) {
			TransactionSynchronizationManager.registerSynchronization(new Warning(type));
		}
	}

	/**
	 * Told of the completion only if it was registered before the commit: what is sent
	 * after it misses nothing.
	 */
	private final class Warning implements TransactionSynchronization {

		private final String type;

		private boolean given;

		Warning(String type) {
			this.type = type;
		}

		@Override
		public void beforeCompletion() {
			this.given = true;
			logger
				.warn("Tasks of type {} are enqueued in a transaction, but sent at once and not by the outbox: they run"
						+ " before it has committed, and even if it is rolled back. Use client.afterCommit(), or set"
						+ " asynq.client.after-commit=true", this.type);
		}

		@Override
		public void afterCompletion(int status) {
			if (!this.given) {
				MissedOutbox.this.noted.remove(this.type);
			}
		}

	}

}
