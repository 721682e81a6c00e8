package io.asynq.cli.output;

import io.asynq.cli.terminal.UsageException;
import org.jspecify.annotations.Nullable;

/**
 * How results are printed.
 */
public enum OutputFormat {

	/** As Go's program prints them. */
	TABLE,

	/** With more columns, and none cut. */
	WIDE,

	/** One JSON document. */
	JSON,

	/** One JSON document per line and entry. */
	JSONL;

	/** Whether results are printed for people. */
	public boolean isText() {
		return this == TABLE || this == WIDE;
	}

	/**
	 * Finds a format.
	 * @param name its name, {@code null} for the default
	 */
	public static OutputFormat of(@Nullable String name) {
		return switch ((name != null) ? name : "table") {
			case "table" -> TABLE;
			case "wide" -> WIDE;
			case "json" -> JSON;
			case "jsonl" -> JSONL;
			default -> throw new UsageException("--output must be table, wide, json or jsonl, but is '" + name + "'");
		};
	}

}
