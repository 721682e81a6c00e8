package io.asynq.reliability.baddata;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a run has shown.
 *
 * @param planted number of corruptions by kind
 * @param healthy number of sound tasks among them
 * @param longestWait the longest time that a sound task had to wait
 * @param logLines lines at WARN and above
 * @param findings what is not as it must be, empty when everything is
 */
public record BadDataResult(Map<String, Integer> planted, int healthy, Duration longestWait, int logLines,
		List<String> findings) {

	/**
	 * Returns how many corruptions there were.
	 * @return the number
	 */
	public int corruptions() {
		return this.planted.values().stream().mapToInt(Integer::intValue).sum();
	}

}
