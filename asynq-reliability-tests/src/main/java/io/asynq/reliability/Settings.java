package io.asynq.reliability;

import java.nio.file.Path;
import java.time.Clock;

import io.asynq.reliability.fault.Scale;
import io.asynq.test.redis.Driver;

/**
 * What all runs of the program have in common.
 *
 * @param scale how long it may take
 * @param seed the seed of everything random
 * @param folder where ledgers and logs go
 * @param goProgram the Go program
 * @param clock the clock of this machine
 * @param driver the Redis driver of Java
 */
record Settings(Scale scale, long seed, Path folder, Path goProgram, Clock clock, Driver driver) {

}
