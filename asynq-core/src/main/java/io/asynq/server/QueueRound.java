package io.asynq.server;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.lifecycle.LoopErrorLog;
import org.jspecify.annotations.Nullable;

/**
 * Does the same for one queue after the other, such that none keeps the others waiting:
 * neither one whose keys make no sense, nor one whose node of a cluster hangs or is away.
 * Where all queues lie on one Redis, that it is away ends the round. On a cluster the
 * lanes go side by side, and what a lane has not ended goes on when the round is over; so
 * the same may be done for several queues at once, but never twice for one.
 */
final class QueueRound {

	private final String subject;

	private final Lanes lanes;

	private final LoopErrorLog errors;

	private final LaneThreads threads;

	/** A queue may have moved to another lane while its old one hangs. */
	private final Set<String> underWay = ConcurrentHashMap.newKeySet();

	/**
	 * Creates a round.
	 * @param subject who goes round, for the log
	 * @param lanes where the queues lie
	 * @param errors where errors of single queues are logged
	 */
	QueueRound(String subject, Lanes lanes, LoopErrorLog errors) {
		this.subject = subject;
		this.lanes = lanes;
		this.errors = errors;
		this.threads = new LaneThreads(subject, lanes.threads(), errors);
	}

	/**
	 * Goes round.
	 * @param queues the queues
	 * @param action what to do for each
	 * @throws BrokerUnavailableException if Redis was away for all
	 */
	void each(Collection<String> queues, Consumer<String> action) {
		each(queues, action, (queue) -> {
		});
	}

	/**
	 * Goes round.
	 * @param queues the queues
	 * @param action what to do for each
	 * @param unreachable is told of each queue whose Redis was away
	 * @throws BrokerUnavailableException if Redis was away for all
	 */
	void each(Collection<String> queues, Consumer<String> action, Consumer<String> unreachable) {
		if (this.lanes.areSeveral()) {
			sideBySide(queues, action, unreachable);
			return;
		}
		for (String queue : queues) {
			BrokerUnavailableException error = run(queue, action);
			if (error != null) {
				queues.forEach(unreachable);
				throw error;
			}
		}
	}

	private void sideBySide(Collection<String> queues, Consumer<String> action, Consumer<String> unreachable) {
		Map<String, BrokerUnavailableException> away = new ConcurrentHashMap<>();
		Map<String, Runnable> work = new LinkedHashMap<>();
		this.lanes.of(queues).forEach((lane, its) -> work.put(lane, () -> {
			BrokerUnavailableException error = along(lane, its, action, unreachable);
			if (error != null) {
				away.put(lane, error);
			}
		}));
		this.threads.run(work);
		if (!away.isEmpty() && away.size() == work.size()) {
			throw away.values().iterator().next();
		}
	}

	/**
	 * Goes along one lane. When its master does not answer, it is not asked again for the
	 * other queues.
	 */
	private @Nullable BrokerUnavailableException along(String lane, List<String> queues, Consumer<String> action,
			Consumer<String> unreachable) {
		BrokerUnavailableException away = null;
		for (String queue : queues) {
			if (!this.underWay.add(queue)) {
				continue;
			}
			try {
				BrokerUnavailableException error = (away == null || lane.equals(Lanes.UNKNOWN)) ? run(queue, action)
						: away;
				if (error == null) {
					this.lanes.answered(lane);
				}
				else {
					unreachable.accept(queue);
					this.lanes.failed(lane, error);
					away = error;
				}
			}
			finally {
				this.underWay.remove(queue);
			}
		}
		return away;
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
