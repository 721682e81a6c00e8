package io.asynq.test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.AsynqException;
import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.EnqueueResult;
import io.asynq.broker.EnqueueStatus;
import io.asynq.broker.Fire;
import io.asynq.broker.FireStore;
import io.asynq.broker.SchedulerEntrySnapshot;
import io.asynq.broker.SchedulerRegistry;
import io.asynq.broker.ServerIdentity;

/**
 * A scheduler's side of a {@link FakeBroker}.
 */
public final class FakeScheduling implements SchedulerRegistry, FireStore {

	/** The fires that were asked for. */
	public final List<Fire> fires = new CopyOnWriteArrayList<>();

	/** Task ids by entry. */
	public final Map<String, List<String>> history = new HashMap<>();

	/** The last list of entries that was written. */
	public volatile List<SchedulerEntrySnapshot> entries = List.of();

	/** Last fires by entry. */
	public final Map<String, Instant> lastFires = new HashMap<>();

	/** How often somebody has asked for a last fire. */
	public final AtomicInteger questions = new AtomicInteger();

	/** How often a fire without a task was noted, or was to be. */
	public final AtomicInteger passes = new AtomicInteger();

	/** Entries that other schedulers have. */
	public volatile Set<String> elsewhere = Set.of();

	/** What a call throws. */
	public volatile Optional<AsynqException> failure = Optional.empty();

	/** How many calls have thrown. */
	public final AtomicInteger failures = new AtomicInteger();

	/** How often something was removed. */
	public final AtomicInteger removals = new AtomicInteger();

	/** Entries whose histories were removed. */
	public final List<String> forgotten = new CopyOnWriteArrayList<>();

	/** Entries that were shown when histories were removed. */
	public final List<String> shownWhenForgotten = new CopyOnWriteArrayList<>();

	private final FakeBroker broker;

	FakeScheduling(FakeBroker broker) {
		this.broker = broker;
	}

	@Override
	public synchronized Optional<EnqueueStatus> enqueue(EnqueueRequest request, Fire fire) {
		this.fires.add(fire);
		fail();
		this.broker.requests.add(request);
		EnqueueResult result = this.broker.answer.apply(request);
		if (result.status() == null) {
			throw Objects.requireNonNull(result.error());
		}
		return Optional.of(result.status());
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
	public synchronized void forget(String queue, String entry) {
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
		this.removals.incrementAndGet();
		this.history.keySet().removeAll(entries);
		this.forgotten.addAll(entries);
		this.shownWhenForgotten.addAll(this.entries.stream().map(SchedulerEntrySnapshot::id).toList());
		Set<String> own = new HashSet<>(entries);
		own.removeAll(this.elsewhere);
		return own;
	}

	@Override
	public synchronized void clear(ServerIdentity scheduler) {
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
