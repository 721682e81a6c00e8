/**
 * Go asynq and this library on one Redis.
 */
@NullMarked
package io.asynq.interop;

import org.jspecify.annotations.NullMarked;
