/**
 * Holds tasks back whose limits are reached, and lets them go on.
 */
@NullMarked
package io.asynq.server.limit;

import org.jspecify.annotations.NullMarked;
