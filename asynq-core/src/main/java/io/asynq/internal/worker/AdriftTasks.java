package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * Puts back tasks that this server has taken and nobody works on: at once those whose
 * leases have ended, after a minute what something unforeseen has kept from its worker;
 * used by one thread.
 */
public final class AdriftTasks {

	private static final Logger logger = OneLineLogger.of(AdriftTasks.class);

	private static final Duration LONGEST = Duration.ofMinutes(1);

	private final ActiveTasks active;

	private final TakenTasks taken;

	private Map<Lease, Long> since = Map.of();

	public AdriftTasks(ActiveTasks active, TakenTasks taken) {
		this.active = active;
		this.taken = taken;
	}

	public void putBack() {
		putBack(LONGEST);
	}

	public void putBack(Duration longest) {
		long now = System.nanoTime();
		Map<Lease, Long> adrift = new HashMap<>();
		List<LeasedTask> back = new ArrayList<>();
		for (LeasedTask task : this.active.taken()) {
			if (this.active.isAdrift(task)) {
				long first = this.since.getOrDefault(task.lease(), now);
				adrift.put(task.lease(), first);
				if (!task.lease().isValidAt(now) || now - first >= longest.toNanos()) {
					back.add(task);
				}
			}
		}
		this.since = adrift;
		for (LeasedTask task : back) {
			if (task.lease().isValidAt(now)) {
				TaskMdc.during(task.message(), () -> logger.warn(
						"No worker has had task {} ({}) of queue {} for {}, although it was taken: it is put back",
						task.message().id(), task.message().type(), task.message().queue(), longest));
			}
		}
		if (!back.isEmpty()) {
			this.taken.putBackAdrift(back);
		}
	}

}
