package io.asynq.broker.message;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * What is stored with a task about attempts that did not end by themselves, until one
 * does.
 *
 * @param suspect whether a server has died while it had the task
 * @param crashes how many servers have died since then while its handler was running
 * @param deaths the latest few of these servers and when they died
 * @param cutShort how many attempts in a row were interrupted because a young server
 * stopped
 */
public record CrashRecord(boolean suspect, int crashes, List<String> deaths, int cutShort) {

	/** For a task whose attempts have all ended by themselves. */
	public static final CrashRecord CLEAN = new CrashRecord(false, 0, List.of(), 0);

	private static final int MOST_DEATHS = 5;

	private static final int LONGEST_NAME = 100;

	/**
	 * Returns the record after a server has died that had the task but may not have run
	 * it: from now on it is recorded when its handler begins.
	 */
	public CrashRecord suspected() {
		return new CrashRecord(true, this.crashes, this.deaths, 0);
	}

	/**
	 * Returns the record after the stop of a server has ended an attempt.
	 * @param young whether the server had started only recently
	 */
	public CrashRecord stopped(boolean young) {
		return new CrashRecord(this.suspect, this.crashes, this.deaths, young ? this.cutShort + 1 : 0);
	}

	/**
	 * Returns the record after a server has died while the handler was running.
	 * @param server the server, host and process id
	 * @param at when it died, as far as known
	 */
	public CrashRecord crashed(String server, Instant at) {
		String name = (server.length() > LONGEST_NAME) ? server.substring(0, LONGEST_NAME - 1) + "…" : server;
		List<String> all = new ArrayList<>(this.deaths);
		all.add((name.isEmpty() ? "unknown" : name) + " " + at.truncatedTo(ChronoUnit.SECONDS));
		return new CrashRecord(true, this.crashes + 1,
				List.copyOf(all.subList(Math.max(0, all.size() - MOST_DEATHS), all.size())), 0);
	}

}
