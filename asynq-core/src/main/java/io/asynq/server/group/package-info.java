/**
 * Turns groups of tasks into tasks.
 */
@NullMarked
package io.asynq.server.group;

import org.jspecify.annotations.NullMarked;
