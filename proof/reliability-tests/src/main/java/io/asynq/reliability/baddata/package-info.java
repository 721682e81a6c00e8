/** Data that no client writes, and how a running server handles it. */
@NullMarked
package io.asynq.reliability.baddata;

import org.jspecify.annotations.NullMarked;
