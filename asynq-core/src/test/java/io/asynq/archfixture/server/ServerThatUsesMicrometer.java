package io.asynq.archfixture.server;

import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

public final class ServerThatUsesMicrometer {

	final @Nullable MeterRegistry used = null;

}
