package io.asynq.internal.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.inspect.ServerInfo;
import io.asynq.internal.worker.ServedTypes;
import org.jspecify.annotations.Nullable;

public interface FleetSurvey {

	/** Lists at most the five hundred servers that announced themselves last. */
	Fleet look();

	/** Lost servers went within a day without signing off, or are still listed. */
	record Fleet(List<Live> live, List<Lost> lost) {
	}

	/** The server's clock is at least so much {@code ahead}, negative if behind. */
	record Live(ServerInfo info, ServedTypes served, Duration ahead, List<StuckHandler> stuck) {

		public boolean isJava() {
			return this.served.types() != null;
		}

	}

	record Lost(String name, @Nullable Instant since) {
	}

}
