package io.asynq.reliability;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.asynq.reliability.check.Checker;
import io.asynq.reliability.check.Finding;
import io.asynq.reliability.load.Load;

/** Scripts move tasks atomically, so some things hold at every moment. */
final class Glances implements AutoCloseable {

	private static final Duration INTERVAL = Duration.ofSeconds(2);

	private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task, "glances");
		thread.setDaemon(true);
		return thread;
	});

	private final Set<Finding> findings = new LinkedHashSet<>();

	private Glances() {
	}

	static Glances start(Checker checker) {
		Glances glances = new Glances();
		glances.executor.scheduleWithFixedDelay(() -> glances.look(checker), INTERVAL.toMillis(), INTERVAL.toMillis(),
				TimeUnit.MILLISECONDS);
		return glances;
	}

	List<Finding> findings() {
		synchronized (this.findings) {
			return new ArrayList<>(this.findings);
		}
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

	private void look(Checker checker) {
		try {
			List<Finding> seen = checker.glance(Load.QUEUES.keySet());
			synchronized (this.findings) {
				this.findings.addAll(seen);
			}
		}
		catch (RuntimeException ex) {
			// Redis is being harmed; the next check decides
		}
	}

}
