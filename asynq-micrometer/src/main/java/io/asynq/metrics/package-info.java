/**
 * Meters of queues and servers.
 */
@NullMarked
package io.asynq.metrics;

import org.jspecify.annotations.NullMarked;
