package io.asynq.broker.survey;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.broker.fleet.ServedTypes;
import io.asynq.broker.fleet.StuckHandler;
import io.asynq.info.ServerInfo;
import org.jspecify.annotations.Nullable;

public interface FleetSurvey {

	/** Lists at most the five hundred servers that announced themselves last. */
	Fleet look();

	/**
	 * Lost servers are those whose entry expired within the last day, or that are still
	 * listed, without having signed off.
	 */
	record Fleet(List<Live> live, List<Lost> lost) {
	}

	/**
	 * {@code ahead} is by how much its clock is at least ahead of Redis's, negative if it
	 * is behind; only Java servers tell their types.
	 */
	record Live(ServerInfo info, ServedTypes served, Duration ahead, List<StuckHandler> stuck) {

		public boolean isJava() {
			return this.served.types() != null;
		}

	}

	record Lost(String name, @Nullable Instant since) {
	}

}
