package io.asynq.operate.attention;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * How much something matters, the worst first.
 */
public enum Severity {

	/** Tasks fail, are lost or do not run. */
	ERROR,

	/** They may soon. */
	WARNING,

	/** Good to know. */
	INFO;

	/** Returns its text form. */
	@JsonValue
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
