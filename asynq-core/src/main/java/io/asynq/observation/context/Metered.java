package io.asynq.observation.context;

import org.jspecify.annotations.Nullable;

/**
 * The context of an observation that keeps what its meters have begun. An entry in the
 * map that all contexts have would cost a table per observation. Safe for concurrent use.
 */
public interface Metered {

	/** Returns what its meters measure, for whoever reads them. */
	String description();

	/**
	 * Returns what the meters have begun.
	 * @return {@code null} if they have not
	 */
	@Nullable Object begun();

	/**
	 * Called when the meters have begun.
	 * @param meters what they need to know at the end
	 */
	void begun(Object meters);

}
