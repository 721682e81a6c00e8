/**
 * Go asynq and ours on one Redis.
 */
@NullMarked
package io.asynq.interop;

import org.jspecify.annotations.NullMarked;
