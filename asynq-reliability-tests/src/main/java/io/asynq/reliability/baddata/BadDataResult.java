package io.asynq.reliability.baddata;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The result of a run. */
public record BadDataResult(Map<String, Integer> planted, int healthy, Duration longestWait, int logLines,
		List<String> findings) {

	public int corruptions() {
		return this.planted.values().stream().mapToInt(Integer::intValue).sum();
	}

}
