package io.asynq.scheduler;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the entries of one provider in a scheduler up to date. Used by one thread.
 */
final class ProviderSync {

	private static final Logger logger = LoggerFactory.getLogger(ProviderSync.class);

	private final AsynqScheduler scheduler;

	private final PeriodicTaskProvider provider;

	/** Entry ids by fingerprint. */
	private final Map<String, String> registered = new LinkedHashMap<>();

	private Set<String> told = Set.of();

	ProviderSync(AsynqScheduler scheduler, PeriodicTaskProvider provider) {
		this.scheduler = scheduler;
		this.provider = provider;
	}

	/**
	 * Asks the provider and does what it takes.
	 * @return whether the provider gave an answer
	 */
	boolean run() {
		Set<String> problems = new LinkedHashSet<>();
		Map<String, PeriodicTask> wanted = wanted(problems);
		if (wanted != null) {
			unregisterMissing(wanted.keySet());
			wanted.forEach((fingerprint, task) -> {
				if (!this.registered.containsKey(fingerprint)) {
					register(fingerprint, task, problems);
				}
			});
		}
		tell(problems);
		return wanted != null;
	}

	private @Nullable Map<String, PeriodicTask> wanted(Set<String> problems) {
		List<PeriodicTask> tasks;
		try {
			tasks = this.provider.periodicTasks();
			if (tasks == null) {
				throw new AsynqException("It returned null: return an empty list if there are none");
			}
		}
		catch (Exception ex) {
			problems
				.add("cannot tell its periodic tasks, the " + this.registered.size() + " of the last time stay: " + ex);
			logger.debug("{}", name(), ex);
			return null;
		}
		Map<String, PeriodicTask> wanted = new LinkedHashMap<>();
		for (PeriodicTask task : tasks) {
			if (task == null) {
				problems.add("returned a list with null in it, which is left out");
				continue;
			}
			try {
				wanted.putIfAbsent(Fingerprint.of(task), task);
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
			.forEach((problem) -> logger.warn("{} {}", name(), problem));
		this.told = problems;
	}

	private String name() {
		return "PeriodicTaskProvider " + this.provider.getClass().getName();
	}

}
