/** This project as a peer: an application like that of a user. */
@NullMarked
package io.asynq.benchmarks.asynq;

import org.jspecify.annotations.NullMarked;
