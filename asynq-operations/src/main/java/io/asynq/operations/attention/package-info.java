/**
 * What is wrong, and since when.
 */
@NullMarked
package io.asynq.operations.attention;

import org.jspecify.annotations.NullMarked;
