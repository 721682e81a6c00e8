package io.asynq.reliability.fault;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long leases last and how soon lost ones are found, for all workers of a run.
 *
 * @param lease how long a lease lasts after its last renewal
 * @param heartbeat time between two renewals
 * @param recoverInterval time between two looks for lost tasks
 * @param recoverGrace time after the end of a lease at which a task that a live server
 * lists counts as lost
 * @param properties what a worker is told, nothing for asynq's defaults
 */
public record Timing(Duration lease, Duration heartbeat, Duration recoverInterval, Duration recoverGrace,
		Map<String, String> properties) {

	private static final Duration OUTAGE_LEASE = Duration.ofSeconds(15);

	/** What a busy machine may add. */
	private static final Duration SLACK = Duration.ofSeconds(15);

	/**
	 * Returns the times of a scale.
	 * @param scale the scale
	 * @return asynq's defaults for a full run
	 */
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
	 * Returns the times for faults that take Redis away, which promise that nothing runs
	 * twice: also a quick run's outage must be shorter than a lease on a busy machine.
	 * @param scale the scale
	 * @return asynq's defaults for a full run
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
	 * Returns for how long after its end a window explains that a task runs again.
	 * @return what recovery takes at worst
	 */
	public Duration recovery() {
		return this.lease.plus(this.recoverGrace).plus(this.recoverInterval).plus(SLACK);
	}

}
