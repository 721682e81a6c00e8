/**
 * The application whose process is harmed.
 */
@NullMarked
package io.asynq.reliability.worker;

import org.jspecify.annotations.NullMarked;
