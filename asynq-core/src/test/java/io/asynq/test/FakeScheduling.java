package io.asynq.test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.AsynqException;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.schedule.Fire;
import io.asynq.internal.schedule.SchedulerEntrySnapshot;
import io.asynq.internal.schedule.SchedulerStore;

/**
 * The scheduler's side of a {@link FakeBroker}.
 */
public final class FakeScheduling extends SchedulerStore {

	/** The requested fires. */
	public final List<Fire> fires = new CopyOnWriteArrayList<>();

	/** Task ids by entry. */
	public final Map<String, List<String>> history = new HashMap<>();

	/** The entries written last. */
	public volatile List<SchedulerEntrySnapshot> entries = List.of();

	/** The last fire by entry. */
	public final Map<String, Instant> lastFires = new HashMap<>();

	/** The number of queries for a last fire. */
	public final AtomicInteger questions = new AtomicInteger();

	/** The number of skipped fires, failed calls included. */
	public final AtomicInteger passes = new AtomicInteger();

	/** Entries of other schedulers. */
	public volatile Set<String> elsewhere = Set.of();

	/** The error that calls throw. */
	public volatile Optional<AsynqException> failure = Optional.empty();

	/** The number of calls that threw. */
	public final AtomicInteger failures = new AtomicInteger();

	/** The number of removals. */
	public final AtomicInteger removals = new AtomicInteger();

	/** Entries whose histories were deleted. */
	public final List<String> forgotten = new CopyOnWriteArrayList<>();

	/** Entries that were published when histories were deleted. */
	public final List<String> shownWhenForgotten = new CopyOnWriteArrayList<>();

	private final FakeBroker broker;

	FakeScheduling(FakeBroker broker) {
		super(null, null, null, null);
		this.broker = broker;
	}

	@Override
	public synchronized boolean enqueue(EnqueueRequest request, Fire fire) {
		this.fires.add(fire);
		fail();
		this.broker.requests.add(request);
		this.broker.answer.apply(request).ifPresent((error) -> {
			throw error;
		});
		return true;
	}

	@Override
	public synchronized void pass(String queue, Fire fire) {
		try {
			fail();
			this.lastFires.merge(fire.entry(), fire.at(), (known, at) -> at.isAfter(known) ? at : known);
		}
		finally {
			this.passes.incrementAndGet();
		}
	}

	@Override
	public synchronized Instant lastFire(String queue, String entry, Instant first) {
		this.questions.incrementAndGet();
		fail();
		return this.lastFires.computeIfAbsent(entry, (key) -> first);
	}

	@Override
	public synchronized void forgetFires(String queue, String entry) {
		this.lastFires.remove(entry);
	}

	@Override
	public synchronized void write(ServerIdentity scheduler, List<SchedulerEntrySnapshot> entries, Duration ttl) {
		fail();
		this.entries = entries;
		notifyAll();
	}

	@Override
	public synchronized void recordEnqueued(String entry, String taskId, Instant at) {
		this.history.computeIfAbsent(entry, (key) -> new ArrayList<>()).add(taskId);
	}

	@Override
	public synchronized Set<String> forget(ServerIdentity scheduler, Collection<String> entries) {
		fail();
		this.removals.incrementAndGet();
		this.history.keySet().removeAll(entries);
		this.shownWhenForgotten.addAll(this.entries.stream().map(SchedulerEntrySnapshot::id).toList());
		// Last, because tests wait for it
		this.forgotten.addAll(entries);
		Set<String> own = new HashSet<>(entries);
		own.removeAll(this.elsewhere);
		return own;
	}

	@Override
	public synchronized void clear(ServerIdentity scheduler) {
		fail();
		this.removals.incrementAndGet();
		this.entries = List.of();
	}

	private void fail() {
		this.failure.ifPresent((error) -> {
			this.failures.incrementAndGet();
			throw error;
		});
	}

}
