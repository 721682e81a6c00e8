/**
 * The components that work tasks off.
 */
@NullMarked
package io.asynq.server;

import org.jspecify.annotations.NullMarked;
