package io.asynq.internal.worker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

import io.asynq.server.QueueWeights;

/**
 * What a queue gives puts it ahead by the number of tasks over its weight, and the queue
 * that is least ahead is next, so that shares are exact in the long run, however tasks
 * are spread over calls; used by one thread at a time.
 */
public final class QueueSelector {

	/** Smaller calls are more exact, but cost nearly as much each. */
	static final int LARGEST_BATCH = TaskDequeuer.MOST_TASKS;

	/**
	 * Lighter queues give less in proportion, which keeps shares exact, but at least
	 * this.
	 */
	private static final int SMALLEST_BATCH = 10;

	/** How many tasks other queues give at most in place of those that may have less. */
	private static final int LARGEST_RESERVE = 10;

	/** Bounds for how long one call keeps Redis busy. */
	private static final int MOST_SHARES = 32;

	private final Map<String, Lead> leads = new HashMap<>();

	/** Queues that gave nothing more when they were asked last, or could not be asked. */
	private final Set<String> absent = new HashSet<>();

	/** Queues that were absent and may have tasks again, but have not given any. */
	private final Set<String> returning = new HashSet<>();

	private final boolean strict;

	private final ToIntFunction<String> buffered;

	public QueueSelector(QueueWeights queues, ToIntFunction<String> buffered) {
		this.strict = queues.strict();
		this.buffered = buffered;
		queues.weights().forEach((queue, weight) -> this.leads.put(queue, new Lead(weight)));
	}

	/** Smaller batches than {@link #next}, with a reserve for queues that have less. */
	public List<QueueShare> plan(int workers, int calls, Collection<String> candidates, ToLongFunction<String> known) {
		if (this.strict) {
			return inOrder(workers, candidates, known);
		}
		Map<String, Double> leads = save(candidates);
		Map<String, Integer> shares = new LinkedHashMap<>();
		int left = workers;
		for (int i = 0; left > 0; i++) {
			QueueShare share = choose(left, Math.max(1, calls - i), candidates, shares.keySet(), SMALLEST_BATCH);
			shares.merge(share.queue(), share.max(), Integer::sum);
			taken(share.queue(), share.max());
			left -= share.max();
		}
		List<QueueShare> plan = withReserve(workers, shares, candidates, known);
		// Only what queues really give counts
		leads.forEach((queue, ahead) -> this.leads.get(queue).ahead = ahead);
		return plan;
	}

	public QueueShare next(int workers, int calls, Collection<String> candidates) {
		if (this.strict) {
			return new QueueShare(heaviest(candidates), workers);
		}
		receive(candidates);
		return choose(workers, calls, candidates, Set.of(), LARGEST_BATCH);
	}

	/**
	 * A queue that returns and lacks tasks goes first: many others would come before it.
	 */
	private QueueShare choose(int workers, int calls, Collection<String> candidates, Set<String> asked, int most) {
		String least = leastAhead(candidates);
		catchUpWith(this.leads.get(least));
		double level = levelAfter(workers, candidates);
		String queue = least;
		double ahead = level;
		for (String candidate : this.returning.isEmpty() ? Set.<String>of() : candidates) {
			Lead lead = this.leads.get(candidate);
			if (lead.ahead < ahead && this.returning.contains(candidate) && !asked.contains(candidate)) {
				queue = candidate;
				ahead = lead.ahead;
			}
		}
		Lead chosen = this.leads.get(queue);
		int batch = Math.min(batch(chosen, candidates, most), (int) Math.ceil((double) workers / calls));
		double fair = (level - chosen.ahead) * chosen.weight;
		// The remainder is shared out one by one, if there are calls for it
		int share = (int) ((calls > 1) ? fair : Math.ceil(fair));
		return new QueueShare(queue, Math.min(workers, Math.max(batch, share)));
	}

	private int batch(Lead chosen, Collection<String> candidates, int most) {
		if (most <= SMALLEST_BATCH) {
			return SMALLEST_BATCH;
		}
		long heaviest = candidates.stream().mapToInt((queue) -> this.leads.get(queue).weight).max().orElse(1);
		return (int) Math.max(SMALLEST_BATCH, most * (long) chosen.weight / heaviest);
	}

	/**
	 * Call it before the tasks are counted: the lead of a queue that returns is set by
	 * what the others have started, since what they have in the buffer is still to come.
	 */
	public void settle(Collection<String> queues, Collection<String> candidates) {
		if (queues.stream().noneMatch(this.returning::contains)) {
			return;
		}
		List<String> others = candidates.stream().filter((queue) -> !this.returning.contains(queue)).toList();
		double level = level(others, this.buffered);
		for (String queue : queues) {
			if (this.returning.remove(queue)) {
				this.leads.get(queue).settle(level + buffered(queue));
			}
		}
	}

	/**
	 * @param tasks negative if they were given back and never started
	 */
	public void taken(String queue, int tasks) {
		Lead lead = this.leads.get(queue);
		lead.ahead += (double) tasks / lead.weight;
	}

	void absent(String queue) {
		this.absent.add(queue);
		this.returning.remove(queue);
		this.leads.get(queue).restore();
	}

	/** Queues that were absent would make up for what others have given since. */
	private void receive(Collection<String> candidates) {
		if (this.absent.isEmpty() || candidates.stream().noneMatch(this.absent::contains)) {
			return;
		}
		List<String> others = candidates.stream().filter((queue) -> !this.absent.contains(queue)).toList();
		if (others.isEmpty()) {
			// Nobody was kept waiting, so nobody makes up for anything
			this.absent.forEach((queue) -> this.leads.get(queue).ahead = buffered(queue));
			candidates.forEach(this.absent::remove);
			return;
		}
		double level = level(others, (queue) -> 0);
		for (String queue : candidates) {
			if (this.absent.remove(queue)) {
				this.leads.get(queue).raise(level);
				this.returning.add(queue);
			}
		}
	}

	private double level(List<String> queues, ToIntFunction<String> without) {
		double tasks = 0;
		long weights = 0;
		for (String queue : queues) {
			Lead lead = this.leads.get(queue);
			tasks += lead.ahead * lead.weight - without.applyAsInt(queue);
			weights += lead.weight;
		}
		return (weights > 0) ? tasks / weights : 0;
	}

	private double buffered(String queue) {
		return (double) this.buffered.applyAsInt(queue) / this.leads.get(queue).weight;
	}

	/** Queues that may have too little come first, so that others fill up. */
	private List<QueueShare> withReserve(int workers, Map<String, Integer> shares, Collection<String> candidates,
			ToLongFunction<String> known) {
		List<QueueShare> plan = new ArrayList<>();
		int uncertain = 0;
		for (Map.Entry<String, Integer> share : shares.entrySet()) {
			if (known.applyAsLong(share.getKey()) < share.getValue()) {
				plan.add(new QueueShare(share.getKey(), share.getValue()));
				uncertain += share.getValue();
			}
		}
		int most = Math.min(LARGEST_RESERVE, uncertain);
		boolean others = plan.size() == shares.size();
		candidates.stream()
			.filter((queue) -> others ? !shares.containsKey(queue)
					: shares.containsKey(queue) && known.applyAsLong(queue) >= shares.get(queue))
			.sorted(Comparator.comparingDouble((queue) -> this.leads.get(queue).ahead))
			.forEach((queue) -> plan
				.add(new QueueShare(queue, Math.min(workers, shares.getOrDefault(queue, 0) + most))));
		return plan.subList(0, Math.min(MOST_SHARES, plan.size()));
	}

	private List<QueueShare> inOrder(int workers, Collection<String> candidates, ToLongFunction<String> known) {
		List<QueueShare> plan = new ArrayList<>();
		List<String> left = new ArrayList<>(candidates);
		boolean enough = false;
		while (!enough && !left.isEmpty() && plan.size() < MOST_SHARES) {
			String queue = heaviest(left);
			left.remove(queue);
			plan.add(new QueueShare(queue, workers));
			enough = known.applyAsLong(queue) >= workers;
		}
		return plan;
	}

	private Map<String, Double> save(Collection<String> candidates) {
		receive(candidates);
		catchUpWith(this.leads.get(leastAhead(candidates)));
		Map<String, Double> leads = new HashMap<>();
		this.leads.forEach((queue, lead) -> leads.put(queue, lead.ahead));
		return leads;
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

	/** Keeps queues from falling behind, except absent ones, whose lead is set later. */
	private void catchUpWith(Lead least) {
		double behind = least.ahead;
		if (behind != 0) {
			this.leads.forEach((queue, lead) -> {
				double ahead = lead.ahead - behind;
				lead.ahead = this.absent.contains(queue) ? ahead : Math.max(0, ahead);
			});
		}
	}

	private double levelAfter(int workers, Collection<String> candidates) {
		double tasks = workers;
		long weights = 0;
		for (String candidate : candidates) {
			Lead lead = this.leads.get(candidate);
			tasks += lead.ahead * lead.weight;
			weights += lead.weight;
		}
		return tasks / weights;
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

	private static final class Lead {

		final int weight;

		double ahead;

		/** By how much the queue was put ahead when it returned, until it gives tasks. */
		double raised;

		Lead(int weight) {
			this.weight = weight;
			// Servers that start together should not all begin with the same queue
			this.ahead = ThreadLocalRandom.current().nextDouble() / weight;
		}

		void raise(double level) {
			this.raised = Math.max(0, level - this.ahead);
			this.ahead += this.raised;
		}

		void restore() {
			this.ahead -= this.raised;
			this.raised = 0;
		}

		/** Never below where the queue was before it returned. */
		void settle(double level) {
			restore();
			this.ahead = Math.max(this.ahead, level);
		}

	}

}
