package io.asynq.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.inspect.QueueStats;
import io.asynq.internal.inspect.ManyQueues;
import io.asynq.internal.inspect.ManyQueues.Answer;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Whether Redis can be reached is told by the server and the health check, so that is no
 * warning here.
 */
final class QueueReads {

	private static final Logger logger = OneLineLogger.of(QueueReads.class);

	private final ManyQueues queues;

	private final QueueFilter filter;

	private final QueueSnapshots snapshots;

	private final @Nullable MemorySamples memory;

	private final AtomicLong errors = new AtomicLong();

	private boolean warned;

	/**
	 * @param memory {@code null} if memory is not estimated
	 */
	QueueReads(ManyQueues queues, QueueFilter filter, QueueSnapshots snapshots, @Nullable MemorySamples memory) {
		this.queues = queues;
		this.filter = filter;
		this.snapshots = snapshots;
		this.memory = memory;
	}

	void read() {
		try {
			Set<String> chosen = this.filter.choose(this.queues.names());
			Answer<QueueStats> answer = this.queues.stats(chosen);
			this.snapshots.store(chosen, answer.values());
			count(answer.errors());
			readConsumers();
			if (this.memory != null) {
				readMemory(this.memory, answer.values());
			}
		}
		catch (AsynqException ex) {
			this.errors.incrementAndGet();
			logger.debug("Queues cannot be read for the metrics", ex);
		}
	}

	/** How often queues, or one of them, could not be read. */
	long errors() {
		return this.errors.get();
	}

	private void readConsumers() {
		try {
			if (this.snapshots.needsConsumers()) {
				this.snapshots.storeConsumers(this.queues.consumers());
			}
		}
		catch (AsynqException ex) {
			this.errors.incrementAndGet();
			logger.debug("Servers cannot be read for the metrics", ex);
		}
	}

	private void readMemory(MemorySamples memory, Map<String, QueueStats> stats) {
		Map<String, QueueStats> due = new LinkedHashMap<>();
		memory.due(this.snapshots.queues()).forEach((queue) -> {
			QueueStats read = stats.get(queue);
			if (read != null) {
				due.put(queue, read);
			}
		});
		if (!due.isEmpty()) {
			Answer<Long> answer = this.queues.memoryUsage(due);
			memory.store(due.keySet(), answer.values());
			count(answer.errors());
			answer.errors().values().stream().findFirst().ifPresent(this::warn);
		}
	}

	private void warn(AsynqException error) {
		if (!this.warned && !(error instanceof BrokerUnavailableException)) {
			this.warned = true;
			logger.warn("The memory of queues cannot be estimated for the metrics;"
					+ " asynq.metrics.queues.memory-usage=false ends the attempts: {}", error.getMessage());
		}
	}

	private void count(Map<String, AsynqException> errors) {
		this.errors.addAndGet(errors.size());
		errors.forEach((queue, error) -> logger.debug("Queue {} cannot be read for the metrics", queue, error));
	}

}
