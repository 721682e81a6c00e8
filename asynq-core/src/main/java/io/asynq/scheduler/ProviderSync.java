package io.asynq.scheduler;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.lifecycle.UserCode;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Keeps the entries of one provider in a scheduler up to date. Safe for concurrent use: a
 * question of before a restart may still wait for its answer.
 */
final class ProviderSync {

	private static final Logger logger = OneLineLogger.of(ProviderSync.class);

	/** Five minutes, mostly: long enough not to fill the log, short enough to be seen. */
	private static final int FAILURES_PER_LINE = 30;

	private final AsynqScheduler scheduler;

	private final String name;

	private final PeriodicTaskProvider provider;

	/** Entry ids by fingerprint. */
	private final Map<String, String> registered = new LinkedHashMap<>();

	private Set<String> told = Set.of();

	private int failures;

	ProviderSync(AsynqScheduler scheduler, String name, PeriodicTaskProvider provider) {
		this.scheduler = scheduler;
		this.name = name;
		this.provider = provider;
	}

	/**
	 * Asks the provider and does what it takes.
	 * @return whether the provider gave an answer
	 */
	synchronized boolean run() {
		List<PeriodicTask> tasks = ask();
		if (tasks == null) {
			return false;
		}
		Set<String> problems = new LinkedHashSet<>();
		Map<String, PeriodicTask> wanted = wanted(tasks, problems);
		unregisterMissing(wanted.keySet());
		wanted.forEach((fingerprint, task) -> {
			if (!this.registered.containsKey(fingerprint)) {
				register(fingerprint, task, problems);
			}
		});
		tell(problems);
		return true;
	}

	@Override
	public String toString() {
		return "PeriodicTaskProvider '" + this.name + "'";
	}

	private @Nullable List<PeriodicTask> ask() {
		try {
			List<PeriodicTask> tasks = this.provider.periodicTasks();
			if (tasks == null) {
				throw new AsynqException("It returned null: return an empty list if there are none");
			}
			// Reading it may fail, too
			List<PeriodicTask> copy = new ArrayList<>(tasks);
			if (this.failures > 0) {
				logger.info("{} tells its periodic tasks again", this);
			}
			this.failures = 0;
			return copy;
		}
		catch (Throwable ex) {
			if (this.failures++ % FAILURES_PER_LINE == 0) {
				UserCode.tell(ex,
						(shown) -> logger.warn(
								"{} cannot tell its periodic tasks, {}; it is asked again in {} s at the latest", this,
								this.registered.isEmpty() ? "none of them fires"
										: "the " + this.registered.size() + " of the last time stay",
								PeriodicTaskManager.AFTER_ERROR.toSeconds(), shown));
			}
			return null;
		}
	}

	private Map<String, PeriodicTask> wanted(List<PeriodicTask> tasks, Set<String> problems) {
		Map<String, PeriodicTask> wanted = new LinkedHashMap<>();
		for (PeriodicTask task : tasks) {
			if (task == null) {
				problems.add("returned a list with null in it, which is left out");
				continue;
			}
			try {
				PeriodicTask other = wanted.putIfAbsent(Fingerprint.of(task), task);
				if (other != null && !other.isSameAs(task)) {
					problems.add("left out " + task + ": it differs from another one at most in where its payload"
							+ " comes from, which is not known in other processes; give each an id of its own");
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
				logger.debug("Somebody else has removed periodic task '{}'", id, ex);
			}
		}
	}

	private void register(String fingerprint, PeriodicTask task, Set<String> problems) {
		try {
			// As in Go, what a provider gives no id is known by all it is made of
			PeriodicTask named = (task.id() != null) ? task : task.id(fingerprint);
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

}
