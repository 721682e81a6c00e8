package io.asynq.broker;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * What is kept with a task about attempts that did not end by themselves, until one does.
 *
 * @param suspect whether a server has died while the task was in its hands
 * @param crashes how many servers have died since then over a handler that had begun
 * @param deaths which servers these were and when, the latest few
 * @param cutShort how many attempts in a row were cut short by the stop of a server that
 * had not lived for long
 */
public record CrashRecord(boolean suspect, int crashes, List<String> deaths, int cutShort) {

	/** Of a task whose attempts have all ended by themselves. */
	public static final CrashRecord CLEAN = new CrashRecord(false, 0, List.of(), 0);

	private static final int MOST_DEATHS = 5;

	private static final int LONGEST_NAME = 100;

	/**
	 * Returns the record after a server has died with which the task may have nothing to
	 * do: from now on it is written down when its handler begins.
	 * @return the new record
	 */
	public CrashRecord suspected() {
		return new CrashRecord(true, this.crashes, this.deaths, 0);
	}

	/**
	 * Returns the record after the stop of a server has ended an attempt.
	 * @param young whether the server had not lived for long
	 * @return the new record
	 */
	public CrashRecord stopped(boolean young) {
		return new CrashRecord(this.suspect, this.crashes, this.deaths, young ? this.cutShort + 1 : 0);
	}

	/**
	 * Returns the record after a server has died whose handler had begun.
	 * @param server the server, host and process id
	 * @param at when it died, as far as is known
	 * @return the new record
	 */
	public CrashRecord crashed(String server, Instant at) {
		String name = (server.length() > LONGEST_NAME) ? server.substring(0, LONGEST_NAME - 1) + "…" : server;
		List<String> all = new ArrayList<>(this.deaths);
		all.add((name.isEmpty() ? "unknown" : name) + " " + at.truncatedTo(ChronoUnit.SECONDS));
		return new CrashRecord(true, this.crashes + 1,
				List.copyOf(all.subList(Math.max(0, all.size() - MOST_DEATHS), all.size())), 0);
	}

}
