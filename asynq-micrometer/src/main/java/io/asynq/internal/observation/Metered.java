package io.asynq.internal.observation;

import org.jspecify.annotations.Nullable;

/**
 * Keeps what meters have begun: an entry in the map that all contexts have would cost a
 * table per observation.
 */
public interface Metered {

	/** What its meters measure, for whoever reads them. */
	String description();

	@Nullable Object begun();

	void begun(Object meters);

}
