package io.asynq.reliability;

import java.nio.file.Path;
import java.time.Clock;

import io.asynq.reliability.fault.Scale;
import io.asynq.test.redis.Driver;

/** What all runs of the program have in common. */
record Settings(Scale scale, long seed, Path folder, Path goProgram, Clock clock, Driver driver) {

}
