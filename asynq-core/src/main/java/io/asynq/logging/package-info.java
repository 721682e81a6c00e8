/**
 * What gets into the log, and how.
 */
@NullMarked
package io.asynq.logging;

import org.jspecify.annotations.NullMarked;
