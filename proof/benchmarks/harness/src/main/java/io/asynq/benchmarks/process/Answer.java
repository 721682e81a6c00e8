package io.asynq.benchmarks.process;

import java.util.LinkedHashMap;
import java.util.Map;

/** The answer of a peer. */
public record Answer(Map<String, String> values) {

	static Answer parse(String line) {
		Map<String, String> values = new LinkedHashMap<>();
		for (String word : line.split(" ")) {
			int end = word.indexOf('=');
			if (end > 0) {
				values.put(word.substring(0, end), word.substring(end + 1));
			}
		}
		return new Answer(values);
	}

	public String text(String name) {
		String value = this.values.get(name);
		if (value == null) {
			throw new IllegalStateException("The peer's answer lacks " + name + ": " + this.values.keySet());
		}
		return value;
	}

	public long number(String name) {
		return Long.parseLong(text(name));
	}

	public Map<Integer, Long> moments(String name) {
		Map<Integer, Long> moments = new LinkedHashMap<>();
		for (String pair : text(name).split(",")) {
			if (pair.isEmpty()) {
				continue;
			}
			String[] parts = pair.split(":");
			moments.put(Integer.valueOf(parts[0]), Long.valueOf(parts[1]));
		}
		return moments;
	}

}
