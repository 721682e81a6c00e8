package io.asynq.internal.schedule;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.inspect.LoopInfo;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskDefinition;
import io.asynq.schedule.PeriodicTaskNotFoundException;
import io.asynq.schedule.PeriodicTaskProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Safe for concurrent use, because a call from before a restart may still be waiting.
 */
public final class ProviderSync {

	private static final Logger logger = OneLineLogger.of(ProviderSync.class);

	/** One line every five minutes, mostly. */
	private static final int FAILURES_PER_LINE = 30;

	private final AsynqScheduler scheduler;

	private final String name;

	private final PeriodicTaskProvider provider;

	/** Entry ids by fingerprint. */
	private final Map<String, String> registered = new LinkedHashMap<>();

	private Set<String> told = Set.of();

	private int failures;

	/** Read while a call is waiting. */
	private volatile @Nullable Failure failure;

	public ProviderSync(AsynqScheduler scheduler, String name, PeriodicTaskProvider provider) {
		this.scheduler = scheduler;
		this.name = name;
		this.provider = provider;
	}

	/** Returns whether the provider answered. */
	public synchronized boolean run() {
		List<PeriodicTaskDefinition> tasks = ask();
		if (tasks == null) {
			return false;
		}
		Set<String> problems = new LinkedHashSet<>();
		Map<String, PeriodicTaskDefinition> wanted = wanted(tasks, problems);
		unregisterMissing(wanted.keySet());
		wanted.forEach((fingerprint, task) -> {
			if (!this.registered.containsKey(fingerprint)) {
				register(fingerprint, task, problems);
			}
		});
		tell(problems);
		return true;
	}

	/** Adds what the loop does not know: that the provider fails, and since when. */
	LoopInfo describe(LoopInfo loop, Instant now) {
		Failure present = this.failure;
		return (present != null && loop.error() == null) ? new LoopInfo(loop.name(), loop.dead(), present.error(),
				now.minusNanos(System.nanoTime() - present.sinceNanos()), loop.stalledSince()) : loop;
	}

	@Override
	public String toString() {
		return "PeriodicTaskProvider '" + this.name + "'";
	}

	private @Nullable List<PeriodicTaskDefinition> ask() {
		try {
			List<PeriodicTaskDefinition> tasks = this.provider.periodicTasks();
			if (tasks == null) {
				throw new AsynqException("It returned null: return an empty list if there are no periodic tasks");
			}
			// Reading the list can fail, too
			List<PeriodicTaskDefinition> copy = new ArrayList<>(tasks);
			if (this.failures > 0) {
				logger.info("{} provides its periodic tasks again", this);
			}
			this.failures = 0;
			this.failure = null;
			return copy;
		}
		catch (Throwable ex) {
			Failure before = this.failure;
			this.failure = new Failure((before != null) ? before.sinceNanos() : System.nanoTime(),
					LoopErrorLog.text(ex));
			if (this.failures++ % FAILURES_PER_LINE == 0) {
				UserCode.tell(ex,
						(shown) -> logger.warn("{} failed, {}; it is asked again in {} s at the latest", this,
								this.registered.isEmpty() ? "it has no entries"
										: "its last " + this.registered.size() + " entries stay",
								PeriodicTaskManager.AFTER_ERROR.toSeconds(), shown));
			}
			return null;
		}
	}

	private Map<String, PeriodicTaskDefinition> wanted(List<PeriodicTaskDefinition> tasks, Set<String> problems) {
		Map<String, PeriodicTaskDefinition> wanted = new LinkedHashMap<>();
		for (PeriodicTaskDefinition task : tasks) {
			if (task == null) {
				problems.add("returned a list with null in it, which is left out");
				continue;
			}
			try {
				PeriodicTaskDefinition other = wanted.putIfAbsent(Fingerprint.of(task), task);
				if (other != null && !other.isSameAs(task)) {
					problems
						.add("left out " + task + ": it differs from another one at most in the method that creates its"
								+ " payload, which other processes cannot compare; give each its own id");
				}
			}
			catch (RuntimeException ex) {
				problems.add("left out " + task + ": " + ex.getMessage());
			}
		}
		return wanted;
	}

	private void unregisterMissing(Set<String> wanted) {
		Set<String> missing = new HashSet<>(this.registered.keySet());
		missing.removeAll(wanted);
		for (String fingerprint : missing) {
			String id = this.registered.remove(fingerprint);
			try {
				this.scheduler.unregister(id);
			}
			catch (PeriodicTaskNotFoundException ex) {
				logger.debug("Periodic task '{}' was already removed", id, ex);
			}
		}
	}

	private void register(String fingerprint, PeriodicTaskDefinition task, Set<String> problems) {
		try {
			// As in Go, a periodic task without an id is identified by its content
			PeriodicTaskDefinition named = (task.id() != null) ? task : task.id(fingerprint);
			this.registered.put(fingerprint, this.scheduler.register(named));
		}
		catch (RuntimeException ex) {
			problems.add("left out " + task + ": " + ex.getMessage());
		}
	}

	private void tell(Set<String> problems) {
		problems.stream()
			.filter((problem) -> !this.told.contains(problem))
			.forEach((problem) -> logger.warn("{} {}", this, problem));
		this.told = problems;
	}

	private record Failure(long sinceNanos, String error) {
	}

}
