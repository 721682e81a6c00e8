/**
 * What happens to tasks, told to the application.
 */
@NullMarked
package io.asynq.event;

import org.jspecify.annotations.NullMarked;
