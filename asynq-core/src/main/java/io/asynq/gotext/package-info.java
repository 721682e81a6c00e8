/**
 * Durations, dates and quoted text as Go writes and reads them; depends on nothing.
 */
@NullMarked
package io.asynq.gotext;

import org.jspecify.annotations.NullMarked;
