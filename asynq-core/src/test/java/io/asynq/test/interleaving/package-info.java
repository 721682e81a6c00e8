/**
 * Runs classes of the project under every schedule with at most a few preemptions. Their
 * locks, atomics, threads and volatile fields are replaced while they are loaded, so that
 * one thread runs at a time and every step is a point where another may continue.
 */
@NullMarked
package io.asynq.test.interleaving;

import org.jspecify.annotations.NullMarked;
