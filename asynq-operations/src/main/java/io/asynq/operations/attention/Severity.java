package io.asynq.operations.attention;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The worst first.
 */
public enum Severity {

	/** Tasks fail, are lost or do not run. */
	ERROR,

	/** They may soon. */
	WARNING,

	INFO;

	@JsonValue
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
