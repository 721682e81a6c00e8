package io.asynq.cli.output;

import java.util.Map;

import io.asynq.cli.terminal.Surroundings;

/**
 * Titles, bold on a terminal unless {@code NO_COLOR} is set.
 */
public final class Heading {

	private final boolean bold;

	public Heading(Surroundings surroundings) {
		Map<String, String> variables = surroundings.environment().variables();
		boolean plain = !variables.getOrDefault("NO_COLOR", "").isEmpty() || "dumb".equals(variables.get("TERM"));
		this.bold = !plain && surroundings.terminal().isThere();
	}

	public String of(String title) {
		return this.bold ? "\u001b[1m" + title + "\u001b[0m" : title;
	}

}
