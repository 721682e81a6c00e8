/**
 * What goes from the thread that enqueues to the one that handles.
 */
@NullMarked
package io.asynq.context;

import org.jspecify.annotations.NullMarked;
