package io.asynq.internal.enqueue;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.AsynqException;
import io.asynq.TaskInfo;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;
import reactor.core.scheduler.NonBlocking;

/**
 * Not loaded where Spring's transactions are missing.
 */
final class AfterCommit {

	private static final boolean REACTOR = ClassUtils.isPresent("reactor.core.scheduler.NonBlocking",
			AfterCommit.class.getClassLoader());

	private final LateSending sending;

	/** {@code null} if tasks wait in memory. */
	private final @Nullable OutboxWriting outbox;

	AfterCommit(LateSending sending, @Nullable OutboxWriting outbox) {
		this.sending = sending;
		this.outbox = outbox;
	}

	/**
	 * Throws in a thread in which a transaction may be unseen.
	 */
	boolean isDue() {
		if (TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive()) {
			return true;
		}
		if (REACTOR && Thread.currentThread() instanceof NonBlocking) {
			throw new AsynqException("A task that is to wait for a commit cannot be enqueued in Reactor's thread '"
					+ Thread.currentThread().getName() + "': from there a reactive transaction cannot be seen."
					+ " Enqueue it after the Mono or Flux of the transaction, in a thread that may block"
					+ " (Schedulers.boundedElastic())");
		}
		return false;
	}

	List<TaskInfo> defer(List<EnqueueRequest> requests) {
		return (this.outbox != null) ? this.outbox.write(requests) : keep(requests);
	}

	private List<TaskInfo> keep(List<EnqueueRequest> requests) {
		waiting().requests.addAll(requests);
		return requests.stream().map(this.sending::deferred).toList();
	}

	/**
	 * Looks among the synchronizations of the thread, which are those of the present
	 * transaction alone: a resource bound to the thread may outlive a JTA transaction
	 * that others have begun, which they suspend or commit without Spring's callbacks.
	 */
	private Waiting waiting() {
		for (TransactionSynchronization present : TransactionSynchronizationManager.getSynchronizations()) {
			if (present instanceof Waiting waiting && waiting.owner() == this) {
				return waiting;
			}
		}
		Waiting waiting = new Waiting();
		TransactionSynchronizationManager.registerSynchronization(waiting);
		return waiting;
	}

	private final class Waiting implements TransactionSynchronization {

		private final List<EnqueueRequest> requests = new ArrayList<>();

		/** How many tasks there were at each savepoint. */
		private final Map<Object, Integer> savepoints = new IdentityHashMap<>();

		private AfterCommit owner() {
			return AfterCommit.this;
		}

		/**
		 * Before all others, which may look for these tasks or rely on them.
		 */
		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

		@Override
		public void savepoint(Object savepoint) {
			this.savepoints.put(savepoint, this.requests.size());
		}

		@Override
		public void savepointRollback(Object savepoint) {
			// One that is not known is older than the first task
			int kept = this.savepoints.getOrDefault(savepoint, 0);
			while (this.requests.size() > kept) {
				this.requests.remove(this.requests.size() - 1);
			}
		}

		/**
		 * Sends here and not in {@code afterCommit}, which Spring calls too early where
		 * it only takes part in a JTA transaction that others have begun: they may still
		 * roll it back.
		 */
		@Override
		public void afterCompletion(int status) {
			if (status == STATUS_COMMITTED) {
				AfterCommit.this.sending.send(this.requests);
			}
			else if (status == STATUS_UNKNOWN) {
				AfterCommit.this.sending.giveUp(this.requests);
			}
		}

	}

}
