/**
 * Limits over all Java servers: how many tasks may run at the same time, and how many may
 * start in some time.
 */
@NullMarked
package io.asynq.limit;

import org.jspecify.annotations.NullMarked;
