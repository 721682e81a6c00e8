package io.asynq.metrics;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;
import org.springframework.util.PatternMatchUtils;

/**
 * Anybody who may write to Redis may list a queue: queues that were chosen before remain,
 * so that new ones cannot displace them.
 */
final class QueueFilter {

	private static final Logger logger = OneLineLogger.of(QueueFilter.class);

	/** Longer names make every scrape expensive, and no registry shows them. */
	private static final int LONGEST_NAME = 1024;

	private final String[] patterns;

	private final int most;

	private Set<String> chosen = Set.of();

	private boolean warned;

	/**
	 * @param patterns names, in which {@code *} stands for any characters; none for all
	 * queues
	 */
	QueueFilter(List<String> patterns, int most) {
		this.patterns = patterns.toArray(String[]::new);
		this.most = most;
	}

	Set<String> choose(Collection<String> queues) {
		Set<String> wanted = new TreeSet<>(queues);
		wanted.removeIf((queue) -> !isWanted(queue));
		Set<String> next = new LinkedHashSet<>(this.chosen);
		next.retainAll(wanted);
		for (String queue : wanted) {
			if (next.size() >= this.most) {
				break;
			}
			next.add(queue);
		}
		if (next.size() < wanted.size()) {
			warn(wanted.size());
		}
		this.chosen = next;
		return next;
	}

	private boolean isWanted(String queue) {
		return queue.length() <= LONGEST_NAME
				&& (this.patterns.length == 0 || PatternMatchUtils.simpleMatch(this.patterns, queue));
	}

	private void warn(int wanted) {
		if (!this.warned) {
			this.warned = true;
			logger.warn("Only {} of {} queues have metrics; asynq.metrics.queues.names chooses queues, and"
					+ " asynq.metrics.queues.max-queues allows for more", this.most, wanted);
		}
	}

}
