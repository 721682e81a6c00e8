/**
 * What happens to tasks, told to listeners of the application.
 */
@NullMarked
package io.asynq.event;

import org.jspecify.annotations.NullMarked;
