/**
 * This project as a peer: an application like a user's.
 */
@NullMarked
package io.asynq.benchmarks.asynq;

import org.jspecify.annotations.NullMarked;
