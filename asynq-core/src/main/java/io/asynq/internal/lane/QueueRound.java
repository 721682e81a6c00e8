package io.asynq.internal.lane;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.WorkFinder.Found;
import io.asynq.internal.lane.WorkFinder.Kind;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Neither a queue whose keys are invalid nor one whose cluster node hangs or is down
 * delays the others: on a cluster an unfinished lane continues when the round is over, so
 * the action may run for several queues at once, but never twice for one.
 */
public final class QueueRound {

	private static final Logger logger = OneLineLogger.of(QueueRound.class);

	private final String subject;

	private final Lanes lanes;

	private final BiFunction<Kind, Collection<String>, Found> finder;

	private final LaneThreads threads;

	/** Guards against a queue that has moved to another lane while its old one hangs. */
	private final Set<String> underWay = ConcurrentHashMap.newKeySet();

	private volatile @Nullable BrokerUnavailableException unanswered;

	/** For rounds over given queues only. */
	public QueueRound(String subject, Lanes lanes) {
		this(subject, lanes, (kind, queues) -> {
			throw new IllegalStateException(subject + " looks for no work");
		});
	}

	public QueueRound(String subject, Lanes lanes, BiFunction<Kind, Collection<String>, Found> finder) {
		this.subject = subject;
		this.lanes = lanes;
		this.finder = finder;
		this.threads = lanes.threads(subject);
	}

	public boolean isAnyAway() {
		return !this.lanes.away().isEmpty();
	}

	/**
	 * @throws BrokerUnavailableException if Redis was unavailable for all
	 */
	public void each(Collection<String> queues, Consumer<String> action) {
		each(queues, action, (queue) -> {
		});
	}

	/**
	 * @throws BrokerUnavailableException if Redis was unavailable for all
	 */
	public void each(Collection<String> queues, Consumer<String> action, Consumer<String> unreachable) {
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

	public void each(Kind kind, Collection<String> queues, Consumer<String> action) {
		each(kind, queues, action, (queue, found) -> {
		});
	}

	/**
	 * Over those queues that have work; over all if there is one only, and on a cluster,
	 * where a script may use the keys of one slot only.
	 * @param idle called for each queue that has none, with what was found
	 */
	public void each(Kind kind, Collection<String> queues, Consumer<String> action, BiConsumer<String, Found> idle) {
		each(kind, queues, action, idle, (queue) -> {
		});
	}

	public void each(Kind kind, Collection<String> queues, Consumer<String> action, BiConsumer<String, Found> idle,
			Consumer<String> unreachable) {
		if (queues.size() < 2 || this.lanes.areSeveral()) {
			each(queues, action, unreachable);
			return;
		}
		try {
			each(withWork(kind, queues, idle), action);
		}
		catch (BrokerUnavailableException ex) {
			queues.forEach(unreachable);
			throw ex;
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
			else {
				this.unanswered = null;
			}
		}));
		this.threads.run(work);
		if (!away.isEmpty() && away.size() == work.size()) {
			this.unanswered = away.values().iterator().next();
		}
		BrokerUnavailableException error = this.unanswered;
		if (error != null && !work.isEmpty()) {
			throw error;
		}
	}

	/** A master that does not answer is not asked again for the other queues. */
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
			this.lanes.errors().warn(this.subject, ex);
		}
		return null;
	}

	private Collection<String> withWork(Kind kind, Collection<String> queues, BiConsumer<String, Found> idle) {
		Found found = find(kind, queues);
		if (found == null) {
			return queues;
		}
		List<String> due = new ArrayList<>();
		for (String queue : queues) {
			if (found.isDue(queue)) {
				due.add(queue);
			}
			else {
				idle.accept(queue, found);
			}
		}
		return due;
	}

	private @Nullable Found find(Kind kind, Collection<String> queues) {
		try {
			return this.finder.apply(kind, queues);
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (BrokerException ex) {
			// One queue may be refused, such as by the rights of the user
			logger.debug("Queues are visited one by one", ex);
			return null;
		}
	}

}
