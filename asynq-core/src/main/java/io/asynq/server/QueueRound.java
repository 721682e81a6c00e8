package io.asynq.server;

import java.util.Collection;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.lifecycle.LoopErrorLog;
import org.jspecify.annotations.Nullable;

/**
 * Does the same for one queue after the other, such that none keeps the others waiting:
 * neither one whose keys make no sense, nor one whose node of a cluster is away. Where
 * all queues lie on one Redis, that it is away ends the round.
 */
final class QueueRound {

	private final String subject;

	private final BooleanSupplier partitioned;

	private final LoopErrorLog errors;

	/**
	 * Creates a round.
	 * @param subject who goes round, for the log
	 * @param partitioned whether one queue may be out of reach while others are not
	 * @param errors where errors of single queues are logged
	 */
	QueueRound(String subject, BooleanSupplier partitioned, LoopErrorLog errors) {
		this.subject = subject;
		this.partitioned = partitioned;
		this.errors = errors;
	}

	/**
	 * Goes round.
	 * @param queues the queues
	 * @param action what to do for each
	 * @throws BrokerUnavailableException if Redis was away, for some or for all
	 */
	void each(Collection<String> queues, Consumer<String> action) {
		BrokerUnavailableException away = null;
		for (String queue : queues) {
			BrokerUnavailableException error = run(queue, action);
			if (error != null && !this.partitioned.getAsBoolean()) {
				throw error;
			}
			away = (error != null) ? error : away;
		}
		if (away != null) {
			throw away;
		}
	}

	private @Nullable BrokerUnavailableException run(String queue, Consumer<String> action) {
		try {
			action.accept(queue);
		}
		catch (BrokerUnavailableException ex) {
			return ex;
		}
		catch (BrokerException ex) {
			this.errors.warn(this.subject, ex);
		}
		return null;
	}

}
