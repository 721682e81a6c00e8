package io.asynq.server.fetch;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import io.asynq.broker.message.QueueWeights;

/**
 * Chooses which queue is asked next, and for how many tasks. With weights, what a queue
 * gives puts it ahead of the others by the number of tasks over its weight, and the queue
 * that is least ahead is next; so shares are exact in the long run, however the tasks of
 * a fetch are spread over calls. With strict priority, the heaviest queue gets
 * everything. Used by one thread at a time.
 */
public final class QueueSelector {

	/**
	 * A larger batch from a queue with a smaller share would show among a thousand tasks.
	 */
	private static final int LARGEST_BATCH = 10;

	private final Map<String, Lead> leads = new HashMap<>();

	private final boolean strict;

	public QueueSelector(QueueWeights queues) {
		this.strict = queues.strict();
		queues.weights().forEach((queue, weight) -> this.leads.put(queue, new Lead(weight)));
	}

	/**
	 * Chooses the next queue.
	 * @param workers how many idle workers there are
	 * @param calls among how many calls they may be shared out
	 * @param candidates queues that may have tasks, at least one
	 */
	public Share next(int workers, int calls, Collection<String> candidates) {
		if (this.strict) {
			return new Share(heaviest(candidates), workers);
		}
		String queue = leastAhead(candidates);
		catchUpWith(this.leads.get(queue));
		int batch = Math.min(LARGEST_BATCH, (int) Math.ceil((double) workers / calls));
		double fair = fairShare(queue, workers, candidates);
		// The remainder is shared out one by one, if there are calls for it
		int share = (int) ((calls > 1) ? fair : Math.ceil(fair));
		return new Share(queue, Math.min(workers, Math.max(batch, share)));
	}

	/**
	 * Counts tasks that a queue has given, or the cost of asking it.
	 */
	public void taken(String queue, int tasks) {
		Lead lead = this.leads.get(queue);
		lead.ahead += (double) tasks / lead.weight;
	}

	private String leastAhead(Collection<String> candidates) {
		String chosen = "";
		Lead least = null;
		for (String queue : candidates) {
			Lead lead = this.leads.get(queue);
			if (least == null || lead.ahead < least.ahead || lead.ahead == least.ahead && lead.weight > least.weight) {
				least = lead;
				chosen = queue;
			}
		}
		return chosen;
	}

	/**
	 * Measures all leads from that of the next queue. No other candidate is behind it,
	 * and a queue that was empty must not accumulate credit.
	 */
	private void catchUpWith(Lead next) {
		double behind = next.ahead;
		if (behind > 0) {
			for (Lead lead : this.leads.values()) {
				lead.ahead = Math.max(0, lead.ahead - behind);
			}
		}
	}

	/**
	 * Returns how many tasks the next queue must give so that all candidates are level
	 * once the workers are shared out.
	 */
	private double fairShare(String queue, int workers, Collection<String> candidates) {
		double tasks = workers;
		long weights = 0;
		for (String candidate : candidates) {
			Lead lead = this.leads.get(candidate);
			tasks += lead.ahead * lead.weight;
			weights += lead.weight;
		}
		return tasks * this.leads.get(queue).weight / weights;
	}

	private String heaviest(Collection<String> candidates) {
		String chosen = "";
		int most = 0;
		for (String queue : candidates) {
			int weight = this.leads.get(queue).weight;
			if (weight >= most) {
				most = weight;
				chosen = queue;
			}
		}
		return chosen;
	}

	/**
	 * What to ask for.
	 *
	 * @param workers for how many idle workers, at least 1
	 */
	public record Share(String queue, int workers) {
	}

	private static final class Lead {

		final int weight;

		double ahead;

		Lead(int weight) {
			this.weight = weight;
			// Servers that start together should not all begin with the same queue
			this.ahead = ThreadLocalRandom.current().nextDouble() / weight;
		}

	}

}
