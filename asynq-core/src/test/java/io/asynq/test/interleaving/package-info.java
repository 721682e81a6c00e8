/**
 * Runs classes of the project under every schedule of their threads that departs from a
 * plain one a few times at most: their locks, atomics, threads and volatile fields are
 * exchanged while they are loaded, so that one thread runs at a time and every step is a
 * place where another may go on.
 */
@NullMarked
package io.asynq.test.interleaving;

import org.jspecify.annotations.NullMarked;
