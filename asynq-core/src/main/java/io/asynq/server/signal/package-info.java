/**
 * Reacts to arrivals, cancellations and SIGTSTP.
 */
@NullMarked
package io.asynq.server.signal;

import org.jspecify.annotations.NullMarked;
