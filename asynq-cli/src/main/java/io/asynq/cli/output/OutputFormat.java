package io.asynq.cli.output;

import java.util.Arrays;
import java.util.Locale;

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

	/** How flags name it. */
	public String word() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Finds a format.
	 * @param name its name, {@code null} for the default
	 */
	public static OutputFormat of(@Nullable String name) {
		return Arrays.stream(values())
			.filter((format) -> format.word().equals((name != null) ? name : "table"))
			.findFirst()
			.orElseThrow(
					() -> new UsageException("--output must be table, wide, json or jsonl, but is '" + name + "'"));
	}

}
