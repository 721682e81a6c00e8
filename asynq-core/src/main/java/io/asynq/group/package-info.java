/**
 * Groups of tasks that become one.
 */
@NullMarked
package io.asynq.group;

import org.jspecify.annotations.NullMarked;
