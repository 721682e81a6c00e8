package io.asynq.schedule;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;

import io.asynq.internal.lifecycle.LongestTime;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a scheduler, each as the method of its {@link #builder()} says, which also
 * checks them. Immutable.
 */
public record SchedulerOptions(Clock clock, ZoneId zone, Duration heartbeatInterval, Duration syncInterval,
		boolean clusterSafe, MissedFirePolicy missedFires) {

	/** Returns a builder; its clock must be set. */
	public static Builder builder() {
		return new Builder();
	}

	/** Builds the settings. Not safe for concurrent use. */
	public static final class Builder {

		private @Nullable Clock clock;

		private ZoneId zone = ZoneOffset.UTC;

		private Duration heartbeatInterval = Duration.ofSeconds(10);

		private Duration syncInterval = Duration.ofMinutes(3);

		private boolean clusterSafe = true;

		private MissedFirePolicy missedFires = MissedFirePolicy.SKIP;

		private Builder() {
		}

		/** The clock. Required. */
		public Builder clock(Clock clock) {
			this.clock = clock;
			return this;
		}

		/** The time zone of entries that have none, default UTC. */
		public Builder zone(ZoneId zone) {
			this.zone = zone;
			return this;
		}

		/**
		 * Time between two writes of the entries to Redis, where they expire after twice
		 * that time: one second to 100 years, default 10 s.
		 */
		public Builder heartbeatInterval(Duration interval) {
			this.heartbeatInterval = atLeastOneSecond("heartbeat-interval", interval);
			return this;
		}

		/**
		 * Time between two calls of {@link PeriodicTaskProvider providers}: one second to
		 * 100 years, default 3 min.
		 */
		public Builder syncInterval(Duration interval) {
			this.syncInterval = atLeastOneSecond("sync-interval", interval);
			return this;
		}

		/**
		 * Whether each fire is enqueued once, even if several schedulers have the same
		 * entry; default {@code true}. If not, each scheduler enqueues it, and
		 * {@code @every} counts from the scheduler's start, as in Go.
		 */
		public Builder clusterSafe(boolean safe) {
			this.clusterSafe = safe;
			return this;
		}

		/**
		 * The policy for fires that were missed because no scheduler ran, for entries
		 * without their own; default {@link MissedFirePolicy#SKIP}.
		 */
		public Builder missedFires(MissedFirePolicy policy) {
			this.missedFires = policy;
			return this;
		}

		/**
		 * Builds the settings.
		 * @throws IllegalStateException if there is no clock
		 * @throws IllegalArgumentException if settings contradict each other
		 */
		public SchedulerOptions build() {
			if (this.clock == null) {
				throw new IllegalStateException("clock must be set, in production to Clock.systemUTC()");
			}
			if (!this.clusterSafe && this.missedFires == MissedFirePolicy.ONCE) {
				throw new IllegalArgumentException("asynq.scheduler.missed-fires=once needs"
						+ " asynq.scheduler.cluster-safe=true, because otherwise the last fire is not kept");
			}
			return new SchedulerOptions(this.clock, this.zone, this.heartbeatInterval, this.syncInterval,
					this.clusterSafe, this.missedFires);
		}

		private static Duration atLeastOneSecond(String option, Duration value) {
			if (value.toSeconds() < 1) {
				throw new IllegalArgumentException(option + " must be at least 1 second, but is " + value);
			}
			return LongestTime.require(option, value);
		}

	}

}
