package io.asynq.internal.lane;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.WorkFinder.Found;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A {@link QueueRound} over those queues that have work; over all if there is one queue
 * only, and on a cluster, where a script may use the keys of one slot only.
 */
public final class WorkRound {

	private static final Logger logger = OneLineLogger.of(WorkRound.class);

	private final WorkFinder finder;

	private final Lanes lanes;

	private final QueueRound round;

	public WorkRound(String subject, WorkFinder finder, Lanes lanes) {
		this.finder = finder;
		this.lanes = lanes;
		this.round = new QueueRound(subject, lanes);
	}

	public void each(WorkFinder.Kind kind, Collection<String> queues, Consumer<String> action) {
		each(kind, queues, action, (queue, found) -> {
		});
	}

	/**
	 * @param idle called for each queue that has none, with what was found
	 */
	public void each(WorkFinder.Kind kind, Collection<String> queues, Consumer<String> action,
			BiConsumer<String, Found> idle) {
		each(kind, queues, action, idle, (queue) -> {
		});
	}

	public void each(WorkFinder.Kind kind, Collection<String> queues, Consumer<String> action,
			BiConsumer<String, Found> idle, Consumer<String> unreachable) {
		if (queues.size() < 2 || this.lanes.areSeveral()) {
			this.round.each(queues, action, unreachable);
			return;
		}
		try {
			this.round.each(withWork(kind, queues, idle), action);
		}
		catch (BrokerUnavailableException ex) {
			queues.forEach(unreachable);
			throw ex;
		}
	}

	private Collection<String> withWork(WorkFinder.Kind kind, Collection<String> queues,
			BiConsumer<String, Found> idle) {
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

	private @Nullable Found find(WorkFinder.Kind kind, Collection<String> queues) {
		try {
			return this.finder.find(kind, queues);
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
