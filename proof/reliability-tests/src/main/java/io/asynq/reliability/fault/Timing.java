package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** How long leases last and how soon lost ones are found, for all workers of a run. */
public record Timing(Duration lease, Duration heartbeat, Duration recoverInterval, Duration recoverGrace,
		Map<String, String> properties) {

	/**
	 * After its last heartbeat a dead server's tokens come back within this, by default.
	 */
	static final Duration TOKEN = Duration.ofSeconds(65);

	private static final Duration OUTAGE_LEASE = Duration.ofSeconds(15);

	/** What a busy machine may add. */
	private static final Duration SLACK = Duration.ofSeconds(15);

	public static Timing of(Scale scale) {
		return switch (scale) {
			case FULL -> new Timing(Duration.ofSeconds(30), Duration.ofSeconds(5), Duration.ofSeconds(5),
					Duration.ofSeconds(30), Map.of());
			case QUICK ->
				new Timing(Duration.ofSeconds(6), Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(3),
						Map.of("asynq.server.lease-duration", "6s", "asynq.server.heartbeat-interval", "1s",
								"asynq.server.recover-interval", "1s", "asynq.server.recover-grace", "3s"));
		};
	}

	/**
	 * Returns the times for faults that make Redis unavailable, which promise that
	 * nothing runs twice: even in a quick run the outage must be shorter than a lease on
	 * a busy machine.
	 */
	public static Timing ofOutages(Scale scale) {
		Timing timing = of(scale);
		if (scale == Scale.FULL) {
			return timing;
		}
		Map<String, String> properties = new LinkedHashMap<>(timing.properties());
		properties.put("asynq.server.lease-duration", OUTAGE_LEASE.toSeconds() + "s");
		return new Timing(OUTAGE_LEASE, timing.heartbeat(), timing.recoverInterval(), timing.recoverGrace(),
				properties);
	}

	/**
	 * Returns the same times for faults whose recovered tasks wait for tokens of dead
	 * servers, so that a window explains later runs as well.
	 */
	Timing withTokens() {
		return new Timing(this.lease, this.heartbeat, this.recoverInterval, this.recoverGrace.plus(TOKEN),
				this.properties);
	}

	public Duration recovery() {
		return this.lease.plus(this.recoverGrace).plus(this.recoverInterval).plus(SLACK);
	}

}
