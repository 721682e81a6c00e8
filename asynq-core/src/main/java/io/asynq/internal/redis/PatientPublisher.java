package io.asynq.internal.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Lists queues on a cluster, where one node has all names: an enqueue waits for it a
 * moment, while it hangs only the first one, and names are sent until it takes them.
 */
final class PatientPublisher {

	private static final Logger logger = OneLineLogger.of(PatientPublisher.class);

	/** How long to wait for a node that was not late so far. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private final Consumer<List<String>> publication;

	private final Duration patience;

	/** The future ends the callers' wait; the name stays until the node has taken it. */
	private final Map<String, CompletableFuture<Void>> names = new LinkedHashMap<>();

	/** Its thread ends when there has been nothing to do for a while. */
	private final ThreadPoolExecutor threads;

	private boolean busy;

	private boolean late;

	PatientPublisher(Consumer<List<String>> publication) {
		this(publication, PATIENCE);
	}

	PatientPublisher(Consumer<List<String>> publication, Duration patience) {
		this.publication = publication;
		this.patience = patience;
		CustomizableThreadFactory factory = new CustomizableThreadFactory("asynq-queue-names-");
		factory.setDaemon(true);
		this.threads = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
		this.threads.allowCoreThreadTimeOut(true);
	}

	void publish(String queue) {
		CompletableFuture<Void> answer = ask(queue);
		try {
			answer.get(isLate() ? 0 : this.patience.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			late("no answer within " + this.patience.toMillis() + " ms");
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof AsynqException refusal) ? refusal
					: new AsynqException("Queue '" + queue + "' cannot be listed: " + ex.getCause(), ex.getCause());
		}
	}

	synchronized void forget(String queue) {
		CompletableFuture<Void> answer = this.names.remove(queue);
		if (answer != null) {
			answer.complete(null);
		}
	}

	void close() {
		this.threads.shutdownNow();
	}

	private synchronized boolean isLate() {
		return this.late;
	}

	private synchronized CompletableFuture<Void> ask(String queue) {
		CompletableFuture<Void> answer = this.names.computeIfAbsent(queue, (name) -> new CompletableFuture<>());
		if (!this.busy && !this.threads.isShutdown()) {
			this.threads.execute(this::publishAll);
			this.busy = true;
		}
		return answer;
	}

	private void publishAll() {
		try {
			Map<String, CompletableFuture<Void>> round = next();
			while (!round.isEmpty()) {
				if (!publish(round) && !this.threads.isShutdown()) {
					LockSupport.parkNanos(PAUSE.toNanos());
				}
				round = next();
			}
		}
		finally {
			// Whatever ended it, the next caller starts it again
			rest();
		}
	}

	private synchronized void rest() {
		this.busy = false;
	}

	private synchronized Map<String, CompletableFuture<Void>> next() {
		this.busy = !this.names.isEmpty() && !this.threads.isShutdown();
		return this.busy ? new LinkedHashMap<>(this.names) : Map.of();
	}

	private boolean publish(Map<String, CompletableFuture<Void>> round) {
		try {
			this.publication.accept(new ArrayList<>(round.keySet()));
			answered(round);
			round.values().forEach((answer) -> answer.complete(null));
			return true;
		}
		catch (BrokerUnavailableException ex) {
			late(ex.getMessage());
			round.values().forEach((answer) -> answer.complete(null));
			return false;
		}
		catch (Throwable ex) {
			answered(round);
			round.values().forEach((answer) -> answer.completeExceptionally(ex));
			return true;
		}
	}

	private synchronized void answered(Map<String, CompletableFuture<Void>> round) {
		round.forEach(this.names::remove);
		if (this.late) {
			this.late = false;
			logger.info("The Redis node of {} answers again", Keys.QUEUES);
		}
	}

	private synchronized void late(String why) {
		if (!this.late) {
			this.late = true;
			logger
				.warn("The Redis node of {} does not answer: tasks on other nodes are stored and run, but inspectors do"
						+ " not show new queues until it answers ({})", Keys.QUEUES, why);
		}
	}

}
