/**
 * Servers: their queues, options, health and statistics.
 */
@NullMarked
package io.asynq.server;

import org.jspecify.annotations.NullMarked;
