/**
 * Tells at the start what in Redis will lose or delay tasks.
 */
@NullMarked
package io.asynq.server.preflight;

import org.jspecify.annotations.NullMarked;
