/**
 * What somebody should look at, the same for all who ask.
 */
@NullMarked
package io.asynq.operate.attention;

import org.jspecify.annotations.NullMarked;
