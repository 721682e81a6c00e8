package io.asynq.internal.schedule;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.DuplicateTaskException;
import io.asynq.Task;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskInfo;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * A failure is logged and passed to the listeners, and does not affect the next fire.
 */
public final class FireJob implements Runnable {

	private static final Logger logger = OneLineLogger.of(FireJob.class);

	/** As long as a failover or a restart of Redis takes. */
	private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

	private static final ExponentialBackOff PAUSES = new ExponentialBackOff(100, 2);

	private final Scheduling scheduling;

	private final Entry entry;

	private final Fire fire;

	private final long createdNanos = System.nanoTime();

	/** The job before it may have waited for Redis as well. */
	private long patienceNanos;

	FireJob(Scheduling scheduling, Entry entry, Instant at, boolean missed) {
		this.scheduling = scheduling;
		this.entry = entry;
		this.fire = new Fire(entry.id(), at, UUID.randomUUID().toString(), entry.catchesUp(), missed);
	}

	@Override
	public void run() {
		this.patienceNanos = PATIENCE_NANOS - (System.nanoTime() - this.createdNanos);
		try {
			Task task = this.entry.task(this.scheduling.client);
			if (task != null) {
				enqueue(task);
			}
			else {
				logger.debug("{}: nothing to enqueue for {}", this.entry, this.fire.at());
				pass();
			}
		}
		catch (Exception ex) {
			failed(ex);
		}
		catch (Throwable ex) {
			failed(new AsynqException("The method of " + this.entry + " failed: " + ex.getClass().getName(), ex));
		}
	}

	/**
	 * Fires once for all missed fires, at the time of the last one, so that all
	 * schedulers that come back fire the same.
	 */
	static void catchUp(Scheduling scheduling, Entry entry) {
		Instant missed;
		try {
			Instant now = scheduling.now();
			missed = entry.schedule().last(scheduling.store.lastFire(entry.queue(), entry.id(), now), now);
		}
		catch (AsynqException ex) {
			logger.warn("{}: could not check for missed fires, will try again with the next heartbeat: {}", entry,
					ex.getMessage());
			entry.fellBehind();
			return;
		}
		if (missed != null) {
			logger.info("{}: fires were missed, the last one at {}", entry, missed);
			new FireJob(scheduling, entry, missed, true).run();
		}
	}

	/** A fire without a task must not count as missed. */
	private void pass() {
		if (!this.entry.catchesUp() || this.entry.isRemoved()) {
			return;
		}
		try {
			this.scheduling.store.pass(this.entry.queue(), this.fire);
		}
		catch (AsynqException ex) {
			logger.warn(
					"{}: nothing to enqueue for {}, but that could not be noted,"
							+ " will be asked again with the next heartbeat: {}",
					this.entry, this.fire.at(), ex.getMessage());
			this.entry.fellBehind();
		}
	}

	private void enqueue(Task task) {
		this.scheduling.beforeEnqueue(this.entry.id(), task, this.entry.options());
		EnqueueRequest request = this.scheduling.client.request(task, this.entry.options());
		requireKnownQueue(request);
		Optional<TaskInfo> stored = this.scheduling.client.fire(request, this::send);
		if (this.entry.failing(false)) {
			logger.info("{}: tasks can be enqueued again", this.entry);
		}
		if (stored.isPresent()) {
			succeeded(stored.get());
		}
		else {
			logger.debug("{}: another scheduler has enqueued the fire of {}", this.entry, this.fire.at());
		}
	}

	private Optional<TaskInfo> send(EnqueueRequest request) {
		return this.scheduling.options.clusterSafe() ? sendOnce(request)
				: Optional.of(this.scheduling.client.store(request));
	}

	/**
	 * A repetition gets the same answer as the first try, whatever Redis did with that.
	 */
	private Optional<TaskInfo> sendOnce(EnqueueRequest request) {
		BackOffExecution pauses = PAUSES.start();
		long begin = System.nanoTime();
		while (true) {
			try {
				return this.scheduling.store.enqueue(request, this.fire)
						? Optional.of(this.scheduling.client.stored(request)) : Optional.empty();
			}
			catch (BrokerException ex) {
				// Also while Redis loads its data or is still a replica
				long left = this.patienceNanos - (System.nanoTime() - begin);
				if (left <= 0 || Thread.currentThread().isInterrupted()) {
					throw ex;
				}
				LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(pauses.nextBackOff())));
			}
		}
	}

	private void requireKnownQueue(EnqueueRequest request) {
		String queue = request.message().queue();
		if (this.entry.catchesUp() && !queue.equals(this.entry.queue())) {
			throw new AsynqException("Its task is for queue '" + queue + "', but its last fire is kept in queue '"
					+ this.entry.queue() + "': give the periodic task the option queue = \"" + queue + "\"");
		}
	}

	private void succeeded(TaskInfo info) {
		logger.debug("{}: enqueued task {} in queue {} for {}", this.entry, info.id(), info.queue(), this.fire.at());
		this.scheduling.afterEnqueue(this.entry.id(), info, null);
		if (!this.entry.isRemoved()) {
			// Else the history was deleted with the entry, and must not be created again
			this.scheduling.record(this.entry, info);
		}
	}

	private void failed(Exception ex) {
		UserCode.tell(ex, this::log);
		if (ex instanceof BrokerException) {
			this.entry.fellBehind();
		}
		this.scheduling.afterEnqueue(this.entry.id(), null, ex);
	}

	private void log(Throwable ex) {
		if (ex instanceof BrokerUnavailableException && !this.entry.failing(true)) {
			// Logged once per outage, not for every fire
			logger.debug("{}: no task could be enqueued for {}", this.entry, this.fire.at(), ex);
		}
		else if (ex instanceof DuplicateTaskException || ex instanceof TaskIdConflictException) {
			logger.info("{}: nothing is enqueued for {}: {}", this.entry, this.fire.at(), ex.getMessage());
		}
		else if (ex instanceof BrokerException && !(ex instanceof BrokerUnavailableException)) {
			// All entries of a queue can fail so, for example while its slot is being
			// moved
			this.scheduling.errors.warn(this.entry + ": no task could be enqueued for " + this.fire.at()
					+ ", the next fire comes at its time", ex);
		}
		else if (ex instanceof AsynqException) {
			logger.warn("{}: no task could be enqueued for {}, the next fire comes at its time: {}", this.entry,
					this.fire.at(), ex.getMessage());
		}
		else {
			logger.warn("{}: no task could be made for {}, the next fire comes at its time", this.entry, this.fire.at(),
					ex);
		}
	}

	/** Counts as no fire, so that no other scheduler leaves out the next one. */
	static @Nullable TaskInfo byHand(Scheduling scheduling, Entry entry, boolean listened) {
		try {
			Task task = task(scheduling, entry);
			if (task == null) {
				return null;
			}
			if (listened) {
				scheduling.beforeEnqueue(entry.id(), task, entry.options());
			}
			TaskInfo info = scheduling.client.send(scheduling.client.request(task, entry.options()));
			if (listened) {
				scheduling.afterEnqueue(entry.id(), info, null);
			}
			scheduling.record(entry, info);
			return info;
		}
		catch (AsynqException ex) {
			if (listened) {
				scheduling.afterEnqueue(entry.id(), null, ex);
			}
			throw ex;
		}
	}

	private static @Nullable Task task(Scheduling scheduling, Entry entry) {
		try {
			return entry.task(scheduling.client);
		}
		catch (AsynqException ex) {
			throw ex;
		}
		catch (Throwable ex) {
			UserCode.rethrowIfFatal(ex);
			throw new AsynqException("The task of " + entry + " could not be made: " + ex.getClass().getName(), ex);
		}
	}

}
