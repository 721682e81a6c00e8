package io.asynq.internal.group;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

final class GroupBackOff {

	private static final Duration FIRST = Duration.ofSeconds(5);

	private static final Duration LONGEST = Duration.ofMinutes(5);

	/** Where thousands of groups fail, they are looked for together. */
	private static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);

	private final LongSupplier nanoTime;

	private final ExponentialBackOff backOff = new ExponentialBackOff(FIRST.toMillis(), 2);

	private final Map<GroupName, Failing> failing = new ConcurrentHashMap<>();

	GroupBackOff(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.backOff.setMaxInterval(LONGEST.toMillis());
	}

	Duration failed(GroupName group) {
		Failing before = this.failing.get(group);
		BackOffExecution execution = (before != null) ? before.execution() : this.backOff.start();
		Duration pause = Duration.ofMillis(execution.nextBackOff());
		boolean told = before != null && before.told();
		this.failing.put(group, new Failing(execution, this.nanoTime.getAsLong() + pause.toNanos(), told));
		return pause;
	}

	/** Returns whether nobody was told yet why the group fails. */
	boolean isNew(GroupName group) {
		Failing state = this.failing.get(group);
		if (state == null || state.told()) {
			return false;
		}
		this.failing.put(group, new Failing(state.execution(), state.until(), true));
		return true;
	}

	void succeeded(GroupName group) {
		this.failing.remove(group);
	}

	boolean allows(GroupName group) {
		Failing state = this.failing.get(group);
		return state == null || state.until() - this.nanoTime.getAsLong() <= 0;
	}

	Duration untilNext() {
		long now = this.nanoTime.getAsLong();
		this.failing.values().removeIf((state) -> now - state.until() > 2 * LONGEST.toNanos());
		return this.failing.values()
			.stream()
			.filter((state) -> state.until() - now > 0)
			.map((state) -> Duration.ofNanos(state.until() - now))
			.min(Duration::compareTo)
			.map((wait) -> (wait.compareTo(SHORTEST_WAIT) > 0) ? wait : SHORTEST_WAIT)
			.orElse(Duration.ofDays(1));
	}

	private record Failing(BackOffExecution execution, long until, boolean told) {
	}

}
