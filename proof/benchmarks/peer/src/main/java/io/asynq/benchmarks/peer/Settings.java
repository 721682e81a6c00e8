package io.asynq.benchmarks.peer;

import java.util.LinkedHashMap;
import java.util.Map;

/** The settings of a line: {@code name=value} pairs. */
public record Settings(Map<String, String> values) {

	static Settings parse(String[] words) {
		Map<String, String> values = new LinkedHashMap<>();
		for (int i = 1; i < words.length; i++) {
			String[] pair = words[i].split("=", 2);
			if (pair.length != 2) {
				throw new IllegalArgumentException("Not name=value: " + words[i]);
			}
			values.put(pair[0], pair[1]);
		}
		return new Settings(values);
	}

	public String text(String name) {
		String value = this.values.get(name);
		if (value == null) {
			throw new IllegalArgumentException("Missing: " + name);
		}
		return value;
	}

	public String text(String name, String fallback) {
		return this.values.getOrDefault(name, fallback);
	}

	public int number(String name) {
		return Integer.parseInt(text(name));
	}

	public int number(String name, int fallback) {
		return Integer.parseInt(text(name, String.valueOf(fallback)));
	}

	public boolean flag(String name) {
		return Boolean.parseBoolean(text(name, "false"));
	}

	public String host() {
		return text("redis").split(":")[0];
	}

	public int port() {
		return Integer.parseInt(text("redis").split(":")[1]);
	}

	public Map<String, Integer> queues() {
		Map<String, Integer> queues = new LinkedHashMap<>();
		for (String queue : text("queues").split(",")) {
			String[] pair = queue.split(":");
			queues.put(pair[0], (pair.length > 1) ? Integer.parseInt(pair[1]) : 1);
		}
		return queues;
	}

	public String firstQueue() {
		return queues().keySet().iterator().next();
	}

}
