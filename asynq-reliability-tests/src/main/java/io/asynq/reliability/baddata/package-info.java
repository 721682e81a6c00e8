/**
 * Data in Redis that no client writes, and what a running server makes of it.
 */
@NullMarked
package io.asynq.reliability.baddata;

import org.jspecify.annotations.NullMarked;
