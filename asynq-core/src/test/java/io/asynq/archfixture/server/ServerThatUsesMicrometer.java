package io.asynq.archfixture.server;

import io.micrometer.observation.ObservationRegistry;

/**
 * Breaks the rule that only meters and observations know Micrometer.
 */
public class ServerThatUsesMicrometer {

	public final Object other = ObservationRegistry.NOOP;

}
