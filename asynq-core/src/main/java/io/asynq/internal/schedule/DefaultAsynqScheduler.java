package io.asynq.internal.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.TaskInfo;
import io.asynq.inspect.LoopInfo;
import io.asynq.internal.enqueue.DefaultAsynqClient;
import io.asynq.internal.lane.LaneThreads;
import io.asynq.internal.lifecycle.AsyncStop;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.PeriodicRunner;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.lifecycle.StopBudget;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.DuplicatePeriodicTaskException;
import io.asynq.schedule.PeriodicTaskDefinition;
import io.asynq.schedule.PeriodicTaskInfo;
import io.asynq.schedule.PeriodicTaskNotFoundException;
import io.asynq.schedule.SchedulerListener;
import io.asynq.schedule.SchedulerOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

public final class DefaultAsynqScheduler implements AsynqScheduler {

	private static final Logger logger = OneLineLogger.of(DefaultAsynqScheduler.class);

	/** The clock can be set, or the machine sleep, without the loop being told. */
	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

	/**
	 * Half the lifetime of a fire's mark in Redis: without it nobody knows whether the
	 * fire was enqueued.
	 */
	private static final Duration TOO_LATE = Duration.ofHours(12);

	/**
	 * Fires can run users' methods; a stop may exceed a server's shutdown timeout by 5 s.
	 */
	private static final Duration STOP_OF_FIRES = Duration.ofMillis(1000);

	private static final Duration STOP = Duration.ofMillis(600);

	private static final Duration A_MOMENT = Duration.ofSeconds(1);

	private final Scheduling scheduling;

	private final Map<String, Entry> entries = Collections.synchronizedMap(new LinkedHashMap<>());

	private final StopBudget stops = new StopBudget(STOP, STOP, Duration.ZERO);

	private final RemovedEntries removed = new RemovedEntries(System::nanoTime);

	private final PeriodicRunner clockwork;

	private final PeriodicRunner heartbeat;

	/** Held during a whole start or stop, so that these do not overlap. */
	private final Object transition = new Object();

	/** Held briefly, so that fires can register entries while a stop waits for them. */
	private final Object lifecycle = new Object();

	private volatile boolean running;

	private boolean shown;

	private volatile ServerIdentity identity = ServerIdentity.ofThisProcess();

	private volatile Instant lastLook = Instant.MIN;

	private volatile FireThreads threads;

	/** What is only information must not delay fires. */
	private final LaneThreads aside;

	/**
	 * @param masters returns the master of each queue on a cluster
	 */
	public DefaultAsynqScheduler(DefaultAsynqClient client, @Nullable SchedulerStore store, BooleanSupplier partitioned,
			Function<Collection<String>, Map<String, String>> masters, SchedulerOptions options,
			List<SchedulerListener> listeners) {
		this.scheduling = new Scheduling(client, store, partitioned, masters, options, listeners);
		this.threads = new FireThreads(this.scheduling.lanes);
		this.aside = this.scheduling.lanes.threads("asynq-scheduler-heartbeat");
		LoopErrorLog errors = new LoopErrorLog();
		// Not a daemon: keeps an application alive that only enqueues periodic tasks
		this.clockwork = new PeriodicRunner("asynq-scheduler", this::fireDue, errors, false);
		this.heartbeat = new PeriodicRunner("asynq-scheduler-heartbeat", this::beat, errors, true);
	}

	@Override
	public String register(PeriodicTaskDefinition task) {
		Entry entry = Entry.of(task, this.scheduling);
		synchronized (this.lifecycle) {
			Entry other = this.entries.putIfAbsent(entry.id(), entry);
			if (other != null) {
				throw new DuplicatePeriodicTaskException("Two periodic tasks have the id '" + entry.id() + "': " + other
						+ " and one of type '" + entry.source().type() + "' with spec '" + entry.info().spec()
						+ "'. Give one of them another id, or remove it");
			}
			this.scheduling.queues.add(entry.queue());
			if (this.running) {
				entry.begin(this.scheduling.now());
				startLoops();
			}
		}
		return entry.id();
	}

	@Override
	public void unregister(String entryId) {
		Entry entry = entry(entryId, this.entries.remove(entryId));
		entry.remove();
		if (this.running) {
			this.removed.add(entryId, entry.queue());
			this.heartbeat.wake();
		}
	}

	@Override
	public List<PeriodicTaskInfo> entries() {
		return all().stream().map(Entry::info).toList();
	}

	@Override
	public @Nullable TaskInfo enqueueNow(String entryId) {
		return FireJob.byHand(this.scheduling, entry(entryId, this.entries.get(entryId)), false);
	}

	@Override
	public @Nullable TaskInfo fireNow(String entryId) {
		return FireJob.byHand(this.scheduling, entry(entryId, this.entries.get(entryId)), true);
	}

	@Override
	public List<LoopInfo> loops() {
		Instant now = this.scheduling.now();
		return List.of(this.clockwork.info(now), this.heartbeat.info(now));
	}

	@Override
	public @Nullable Duration lag() {
		return this.clockwork.lag();
	}

	@Override
	public void ping() {
		this.scheduling.client.ping();
	}

	@Override
	public void start() {
		synchronized (this.transition) {
			synchronized (this.lifecycle) {
				if (!this.running && isAutoStartup()) {
					begin();
				}
			}
		}
	}

	@Override
	public void stop() {
		synchronized (this.transition) {
			if (this.running) {
				synchronized (this.lifecycle) {
					this.running = false;
					this.stops.end("asynq-scheduler", this.clockwork);
				}
				end();
			}
		}
	}

	@Override
	public void stop(Runnable callback) {
		AsyncStop.run("asynq-scheduler", this::stop, callback);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public boolean isAutoStartup() {
		return this.scheduling.store != null;
	}

	@Override
	public int getPhase() {
		return ServerPhase.SCHEDULER.value();
	}

	public void wake() {
		this.clockwork.wake();
		this.heartbeat.wake();
	}

	private void begin() {
		this.stops.renew();
		this.identity = ServerIdentity.ofThisProcess();
		this.threads = new FireThreads(this.scheduling.lanes);
		this.shown = false;
		this.running = true;
		Instant now = this.scheduling.now();
		all().forEach((entry) -> entry.begin(now));
		if (!this.entries.isEmpty()) {
			startLoops();
		}
	}

	private void end() {
		// Entries stay visible while the last fires run
		this.threads.stop(STOP_OF_FIRES);
		this.stops.end("asynq-scheduler-heartbeat", this.heartbeat);
		this.stops.run("asynq-scheduler-history", this.scheduling.history::await);
		List<Entry> all = all();
		all.forEach(Entry::end);
		if (!this.shown) {
			return;
		}
		Map<String, String> gone = this.removed.takeAll();
		// Keeps the last fires of present entries, for fires missed until the next start
		all.forEach((entry) -> gone.remove(entry.id()));
		Set<String> ids = new HashSet<>(gone.keySet());
		all.forEach((entry) -> ids.add(entry.id()));
		// In this order, so that of two schedulers that stop at once the later one does
		// not see the entries of the other
		this.stops.run("asynq-scheduler", () -> {
			if (tidy(() -> this.scheduling.store.clear(this.identity))) {
				tidy(() -> forget(ids, gone));
			}
		});
	}

	private void startLoops() {
		this.shown = true;
		this.clockwork.start();
		this.heartbeat.start();
		wake();
	}

	private Duration fireDue() {
		Instant now = this.scheduling.now();
		if (this.scheduling.options.clusterSafe() && now.plus(LONGEST_PAUSE).isBefore(this.lastLook)) {
			// The clock was set back; fires that were already enqueued have their marks
			all().forEach((entry) -> entry.reschedule(now));
		}
		this.lastLook = now;
		Instant nearest = now.plus(LONGEST_PAUSE);
		for (Entry entry : all()) {
			Instant due = entry.takeDue(now);
			if (due != null) {
				fire(entry, due, now);
			}
			Instant next = entry.next();
			nearest = (next != null && next.isBefore(nearest)) ? next : nearest;
		}
		return Duration.between(this.scheduling.now(), nearest);
	}

	private void fire(Entry entry, Instant due, Instant now) {
		if (this.scheduling.options.clusterSafe() && due.isBefore(now.minus(TOO_LATE))) {
			logger.warn(
					"{}: skips the fire of {}, because it is too late to know whether another scheduler has enqueued it",
					entry, due);
			entry.fellBehind();
			return;
		}
		this.threads.run(entry, new FireJob(this.scheduling, entry, due, false));
	}

	private Duration beat() {
		List<Entry> all = all();
		Duration interval = this.scheduling.options.heartbeatInterval();
		ServerIdentity present = this.identity;
		this.scheduling.lanes.inform(this.aside, "entries", () -> this.scheduling.store.write(present,
				all.stream().map(Entry::snapshot).toList(), interval.multipliedBy(2)));
		for (Entry entry : all) {
			if (entry.takeBehind()) {
				this.threads.run(entry, () -> FireJob.catchUp(this.scheduling, entry));
			}
		}
		this.scheduling.lanes.inform(this.aside, "removed", this::forgetRemoved);
		return (this.removed.isEmpty() || interval.compareTo(A_MOMENT) < 0) ? interval : A_MOMENT;
	}

	private void forgetRemoved() {
		Map<String, String> gone = this.removed.takeDue();
		// Some may have been registered again
		all().forEach((entry) -> gone.remove(entry.id()));
		if (!gone.isEmpty()) {
			tidy(() -> forget(gone.keySet(), gone));
		}
	}

	private void forget(Set<String> histories, Map<String, String> lastFires) {
		Set<String> own = this.scheduling.store.forget(this.identity, histories);
		lastFires.forEach((id, queue) -> {
			if (own.contains(id)) {
				this.scheduling.store.forgetFires(queue, id);
			}
		});
	}

	/** Returns whether Redis could be reached; what stays there expires. */
	private static boolean tidy(Runnable call) {
		try {
			call.run();
		}
		catch (AsynqException ex) {
			logger.info("Entries of periodic tasks could not be removed from Redis, they will expire: {}",
					ex.getMessage());
			return !(ex instanceof BrokerUnavailableException);
		}
		return true;
	}

	private Entry entry(String id, @Nullable Entry entry) {
		if (entry == null) {
			throw new PeriodicTaskNotFoundException("There is no periodic task '" + id + "' in this scheduler; it has "
					+ all().stream().map(Entry::id).toList());
		}
		return entry;
	}

	private List<Entry> all() {
		synchronized (this.entries) {
			return List.copyOf(this.entries.values());
		}
	}

}
