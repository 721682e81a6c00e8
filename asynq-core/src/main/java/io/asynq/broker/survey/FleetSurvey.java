package io.asynq.broker.survey;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.broker.fleet.ServedTypes;
import io.asynq.broker.fleet.StuckHandler;
import io.asynq.info.ServerInfo;
import org.jspecify.annotations.Nullable;

/**
 * Reads which servers are there, which have gone without a word, and what Java servers
 * tell of themselves. Changes nothing. Safe for concurrent use.
 */
public interface FleetSurvey {

	/** Lists the servers that have announced themselves latest, five hundred at most. */
	Fleet look();

	/**
	 * The servers at one moment.
	 *
	 * @param live servers whose entry Redis keeps, whatever their clocks say
	 * @param lost servers whose entry has expired within a day, and that have not signed
	 * off; longer ago if they are still listed
	 */
	record Fleet(List<Live> live, List<Lost> lost) {
	}

	/**
	 * A live server.
	 *
	 * @param info what it says of itself
	 * @param served what it takes; without types if it does not tell
	 * @param ahead by how much its clock is at least ahead of Redis's, negative if it is
	 * behind, zero as far as can be seen
	 * @param stuck its handlers that go on although their attempts have ended, if it
	 * tells
	 */
	record Live(ServerInfo info, ServedTypes served, Duration ahead, List<StuckHandler> stuck) {

		/** Returns whether it is a Java server: only these tell their types. */
		public boolean isJava() {
			return this.served.types() != null;
		}

	}

	/**
	 * A server that has gone.
	 *
	 * @param name its host, process and id
	 * @param since when its entry has expired by its own clock, {@code null} if it does
	 * not tell
	 */
	record Lost(String name, @Nullable Instant since) {
	}

}
