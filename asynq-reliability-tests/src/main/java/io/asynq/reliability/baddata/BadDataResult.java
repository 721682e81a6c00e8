package io.asynq.reliability.baddata;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The result of a run.
 *
 * @param planted number of corruptions by kind
 * @param healthy number of valid tasks among them
 * @param longestWait the longest time that a valid task had to wait
 * @param logLines lines at WARN and above
 * @param findings the violations, empty if there are none
 */
public record BadDataResult(Map<String, Integer> planted, int healthy, Duration longestWait, int logLines,
		List<String> findings) {

	/**
	 * Returns the number of corruptions.
	 */
	public int corruptions() {
		return this.planted.values().stream().mapToInt(Integer::intValue).sum();
	}

}
