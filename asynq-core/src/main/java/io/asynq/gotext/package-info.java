/**
 * Durations, dates and quoted text as Go writes and reads them.
 */
@NullMarked
package io.asynq.gotext;

import org.jspecify.annotations.NullMarked;
