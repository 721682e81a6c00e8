package io.asynq.reliability;

import java.nio.file.Path;

import io.asynq.reliability.fault.Scale;
import org.jspecify.annotations.Nullable;

/**
 * What all runs of the program have in common.
 *
 * @param scale how long it may take
 * @param seed what everything random follows from
 * @param folder where ledgers and logs go
 * @param goProgram the Go program, {@code null} if it is not built
 */
record Settings(Scale scale, long seed, Path folder, @Nullable Path goProgram) {

}
